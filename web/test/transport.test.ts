/** A transport that is still on its way: what is asked of it meanwhile is not lost. */
import { expect, test } from 'vitest';

import type { Socket } from '../src/api/live';
import { arriving, type Transport } from '../src/api/transport';

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  sent: string[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function loaded(): { transport: Transport; socket: FakeSocket; asked: string[] } {
  const socket = new FakeSocket();
  const asked: string[] = [];
  const fetch = (path: string): Promise<Response> => {
    asked.push(path);
    return Promise.resolve(new Response('answer'));
  };
  return { transport: { fetch, socket: () => socket }, socket, asked };
}

test('a request waits, and the transport is loaded once', async () => {
  const { transport, asked } = loaded();
  let loads = 0;
  const waiting = arriving(() => Promise.resolve((loads += 1)).then(() => transport));
  const answers = await Promise.all([waiting.fetch('/me'), waiting.fetch('/catalogue')]);
  expect(await answers[0].text()).toBe('answer');
  expect(asked).toEqual(['/me', '/catalogue']);
  expect(loads).toBe(1);
});

test('a socket hears and speaks through the one that arrives', async () => {
  const { transport, socket } = loaded();
  const early = arriving(() => Promise.resolve(transport)).socket();
  const heard: unknown[] = [];
  early.onopen = () => heard.push('open');
  early.onmessage = ({ data }) => heard.push(data);
  early.onclose = () => heard.push('closed');
  await settled();
  socket.onopen?.();
  socket.onmessage?.({ data: 'news' });
  early.send('hello');
  socket.onclose?.();
  expect(heard).toEqual(['open', 'news', 'closed']);
  expect(socket.sent).toEqual(['hello']);
});

test('a socket that was closed before it arrived is closed then', async () => {
  const { transport, socket } = loaded();
  arriving(() => Promise.resolve(transport)).socket().close();
  await settled();
  expect(socket.closed).toBe(true);
});

test('one that cannot be loaded is tried again by the next request', async () => {
  const { transport } = loaded();
  let loads = 0;
  const waiting = arriving(() => ((loads += 1) === 1 ? Promise.reject(new TypeError('no network')) : Promise.resolve(transport)));
  let closed = false;
  waiting.socket().onclose = () => (closed = true);
  await settled();
  expect(closed).toBe(true);
  expect(await (await waiting.fetch('/me')).text()).toBe('answer');
});
