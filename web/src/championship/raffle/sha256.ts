/** SHA-256 and HMAC, for pages that come without https: there the browser's own are missing. */

const ROUND = new Uint32Array(64);
const START = new Uint32Array(8);

/** The fractional parts of the roots of the first primes, as FIPS 180-4 defines the constants. */
function prepare(): void {
  const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    let prime = true;
    for (let factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) prime = false;
    if (!prime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(candidate));
    ROUND[found] = fraction(Math.cbrt(candidate));
    found += 1;
  }
}
prepare();

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function padded(data: Uint8Array): DataView {
  const blocks = Math.ceil((data.length + 9) / 64);
  const view = new DataView(new ArrayBuffer(blocks * 64));
  new Uint8Array(view.buffer).set(data);
  view.setUint8(data.length, 0x80);
  view.setUint32(blocks * 64 - 8, Math.floor((data.length * 8) / 2 ** 32));
  view.setUint32(blocks * 64 - 4, (data.length * 8) >>> 0);
  return view;
}

export function sha256(data: Uint8Array): Uint8Array {
  const state = START.slice();
  const view = padded(data);
  const words = new Uint32Array(64);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let index = 0; index < 64; index += 1) {
      if (index < 16) {
        words[index] = view.getUint32(at + index * 4);
        continue;
      }
      const [near, far] = [words[index - 2], words[index - 15]];
      const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
      const large = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
      words[index] = words[index - 16] + small + words[index - 7] + large;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let index = 0; index < 64; index += 1) {
      const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + mixed + ((e & f) ^ (~e & g)) + ROUND[index] + words[index]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] += word));
  }
  const found = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => found.setUint32(index * 4, word));
  return new Uint8Array(found.buffer);
}

function joined(...pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function hmac(key: Uint8Array, ...message: Uint8Array[]): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), ...message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

export const hex = (data: Uint8Array): string => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
