/**
 * What Meldroom sounds like: tiles on wood and a few notes, made by the browser itself.
 *
 * Browsers allow sound only after a gesture: `wake` belongs into one. Until then, and without a sound device, everything is silent;
 * whatever is heard is seen as well.
 */
import { settings } from '../ui/settings.svelte';

export const SOUNDS = ['lay', 'draw', 'turn', 'tick', 'last', 'end', 'win'] as const;
/** `tick` is one of the last ten seconds, `last` one of the last three; `win` is the end of a game one has won. */
export type Sound = (typeof SOUNDS)[number];

/** So loud is everything at full volume. */
const FULL = 0.5;
const GESTURES = ['pointerdown', 'pointerup', 'keydown'] as const;
const C4 = 261.63;
const [C5, E5, G5] = [C4 * 2, C4 * 2.52, C4 * 3];
const [E4, G4] = [C4 * 1.26, C4 * 1.5];

let context: AudioContext | null = null;
let hiss: AudioBuffer | null = null;

/** Let sound begin. A context made before the first gesture would only be complained about. */
export function wake(): void {
  if (!settings.sound || navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ??= new AudioContext();
    if (context.state !== 'running') void context.resume().catch(() => undefined);
  } catch {
    // There is no sound device.
  }
}

/** Wake at every gesture: a phone sends the sound to sleep whenever something else wants to be heard. Returns the end of it. */
export function wakeByGestures(): () => void {
  for (const kind of GESTURES) addEventListener(kind, wake, { capture: true, passive: true });
  return () => {
    for (const kind of GESTURES) removeEventListener(kind, wake, { capture: true });
  };
}

/** Play a sound; `tiles` says how many tiles are laid. */
export function play(sound: Sound, tiles = 1): void {
  if (!settings.sound || settings.volume === 0 || context?.state !== 'running') return;
  const out = context.createGain();
  // Ears hear loudness by ratios: half of the slider should sound half as loud.
  out.gain.value = FULL * (settings.volume / 100) ** 2;
  out.connect(context.destination);
  const voices = new Voices(context, out);
  switch (sound) {
    case 'lay':
      for (let tile = 0; tile < Math.min(tiles, 3); tile += 1) voices.knock(tile * 0.085, 340 + 45 * (tile % 2), 0.9);
      break;
    case 'draw':
      voices.slide(0);
      voices.knock(0.12, 260, 0.45);
      break;
    case 'turn':
      voices.note(0, G4, 0.4);
      voices.note(0.13, C5, 0.5);
      break;
    case 'tick':
      voices.knock(0, 620, 0.5);
      break;
    case 'last':
      voices.knock(0, 930, 0.7);
      break;
    case 'end':
      [G4, E4, C4].forEach((pitch, place) => voices.note(place * 0.17, pitch, 0.45));
      break;
    case 'win':
      [C5, E5, G5].forEach((pitch, place) => voices.note(place * 0.14, pitch, 0.45));
      break;
  }
}

/** The instruments: wood that is knocked on, a tile that slides, and a bar that rings. */
class Voices {
  constructor(
    private readonly sounds: AudioContext,
    private readonly out: AudioNode,
  ) {}

  knock(after: number, pitch: number, loudness: number): void {
    const body = this.tone('sine', after, pitch, loudness, 0.075);
    body.frequency.setValueAtTime(pitch * 1.7, this.at(after));
    body.frequency.exponentialRampToValueAtTime(pitch, this.at(after) + 0.02);
    this.noise(after, pitch * 7, pitch * 7, loudness * 0.5, 0.022);
  }

  slide(after: number): void {
    this.noise(after, 900, 2400, 0.22, 0.13);
  }

  note(after: number, pitch: number, loudness: number): void {
    this.tone('sine', after, pitch, loudness, 0.5);
    this.tone('sine', after, pitch * 4, loudness * 0.18, 0.12);
  }

  private at(after: number): number {
    return this.sounds.currentTime + 0.01 + after;
  }

  private tone(type: OscillatorType, after: number, pitch: number, loudness: number, length: number): OscillatorNode {
    const oscillator = this.sounds.createOscillator();
    oscillator.type = type;
    oscillator.frequency.value = pitch;
    oscillator.connect(this.fading(after, loudness, length));
    oscillator.start(this.at(after));
    oscillator.stop(this.at(after) + length);
    return oscillator;
  }

  private noise(after: number, from: number, to: number, loudness: number, length: number): void {
    const source = this.sounds.createBufferSource();
    source.buffer = hiss ??= hissing(this.sounds);
    const filter = this.sounds.createBiquadFilter();
    filter.type = 'bandpass';
    filter.frequency.setValueAtTime(from, this.at(after));
    filter.frequency.linearRampToValueAtTime(to, this.at(after) + length);
    source.connect(filter).connect(this.fading(after, loudness, length));
    source.start(this.at(after));
    source.stop(this.at(after) + length);
  }

  /** Begins within two milliseconds, so that nothing clicks, and fades away. */
  private fading(after: number, loudness: number, length: number): GainNode {
    const gain = this.sounds.createGain();
    const start = this.at(after);
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.linearRampToValueAtTime(loudness, start + 0.002);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    gain.connect(this.out);
    return gain;
  }
}

function hissing(sounds: AudioContext): AudioBuffer {
  const buffer = sounds.createBuffer(1, Math.ceil(sounds.sampleRate * 0.2), sounds.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let place = 0; place < samples.length; place += 1) samples[place] = Math.random() * 2 - 1;
  return buffer;
}
