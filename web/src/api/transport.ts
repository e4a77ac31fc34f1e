/**
 * How requests and the live connection travel: to the server, or to the engine in a worker of this browser.
 *
 * A page of the offline app says so with <meta name="meldroom-base">. Its transport comes as a chunk of its own, so
 * that nobody loads it who plays on a server.
 */
import { isOffline } from '../base';
import type { Socket } from './live';

/** What both are asked for. A path begins after the root of the interface: `/rooms/mine?language=en`. */
export interface Transport {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  socket(): Socket;
}

export const ROOT = '/api/v1';

const server: Transport = {
  fetch: (path, init) => fetch(ROOT + path, init),
  socket() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return new WebSocket(`${scheme}://${location.host}${ROOT}/live`) as unknown as Socket;
  },
};

/** A transport that is still on its way; what is asked of it meanwhile waits. */
export function arriving(load: () => Promise<Transport>): Transport {
  let loading: Promise<Transport> | null = null;
  const loaded = (): Promise<Transport> =>
    (loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    }));
  return {
    fetch: async (path, init) => (await loaded()).fetch(path, init),
    socket: () => new ArrivingSocket(loaded().then((transport) => transport.socket())),
  };
}

/** A socket of a transport that is still on its way. */
class ArrivingSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  private socket: Socket | null = null;
  private closed = false;

  constructor(arrival: Promise<Socket>) {
    arrival.then(
      (socket) => {
        this.socket = socket;
        if (this.closed) return socket.close();
        socket.onopen = () => this.onopen?.();
        socket.onmessage = (event) => this.onmessage?.(event);
        socket.onclose = () => this.onclose?.();
        socket.onerror = () => this.onerror?.();
      },
      () => this.onclose?.(),
    );
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}

/** The one that this page uses. */
export const transport: Transport = isOffline ? arriving(async () => (await import('../offline/engine')).engine) : server;
