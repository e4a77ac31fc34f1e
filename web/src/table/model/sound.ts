// A short, dry tick, made by the browser itself: the last seconds of a turn, and "your turn".

let context: AudioContext | null = null;

function tone(frequency: number, length: number, loudness: number): void {
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
    const start = context.currentTime;
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = 'triangle';
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(loudness, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + length);
  } catch {
    // No sound device, or none allowed before the first click: the clock is seen as well.
  }
}

/** One second of the last ten; the last three are higher. */
export function tickSound(seconds: number): void {
  tone(seconds <= 3 ? 880 : 587, 0.09, 0.16);
}

/** It is your turn. */
export function turnSound(): void {
  tone(392, 0.14, 0.1);
  setTimeout(() => tone(523, 0.2, 0.1), 110);
}
