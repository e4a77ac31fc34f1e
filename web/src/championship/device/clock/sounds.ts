/** What the table hears: one tone at ten seconds, two at five, and an end that cannot be taken for either. */
import type { Mood } from './turn-clock';

let context: AudioContext | null = null;

/** Browsers allow sound only after a touch: call this in one. */
export function wakeSound(): void {
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
  } catch {
    // No sound device: the clock is seen as well.
  }
}

function tone(at: number, from: number, to: number, length: number, kind: OscillatorType, loudness: number): void {
  if (!context) return;
  const start = context.currentTime + at;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = kind;
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.linearRampToValueAtTime(to, start + length);
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

const TREMBLES: Partial<Record<Mood, number[]>> = { soon: [80], hurry: [80, 80, 80], out: [500] };

/** Tell the table, by sound if it is wanted and by a tremble where the device can. */
export function warn(mood: Mood, loud: boolean): void {
  if (TREMBLES[mood]) navigator.vibrate?.(TREMBLES[mood]);
  if (!loud) return;
  wakeSound();
  if (mood === 'soon') tone(0, 660, 660, 0.25, 'triangle', 0.3);
  if (mood === 'hurry') for (const at of [0, 0.22]) tone(at, 880, 880, 0.16, 'triangle', 0.35);
  if (mood === 'out') for (const at of [0, 0.4, 0.8]) tone(at, 440, 180, 0.38, 'sawtooth', 0.35);
}
