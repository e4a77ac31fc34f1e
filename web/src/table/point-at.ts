// Draws the eye to tiles and piles that a hint speaks of, without touching anything.

const POINTED = 'pointed';
const TIMES = 3;

/** Let tiles, or the pile to take from, glow for a moment, and scroll to the first of them. */
export function pointAt(line: { readonly tiles?: readonly number[]; readonly take?: 'stock' | 'discard' | null }, within: ParentNode = document): void {
  const pile = line.take ? [`[data-testid="${line.take === 'stock' ? 'stock' : 'discard-pile'}"]`] : [];
  const wanted = [...(line.tiles ?? []).map((tile) => `[data-testid$="-tile"][data-tile="${tile}"]`), ...pile];
  const found = wanted.flatMap((selector) => [...within.querySelectorAll<HTMLElement>(selector)]);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const ring = { outline: '3px solid var(--accent)', outlineOffset: '2px', borderRadius: '6px' };
  const none = { outline: '3px solid transparent', outlineOffset: '2px', borderRadius: '6px' };
  for (const element of found) {
    for (const old of element.getAnimations().filter((one) => one.id === POINTED)) old.cancel();
    element.animate(still ? [ring, ring] : [none, ring, ring, none], {
      id: POINTED,
      duration: still ? 4_000 : 1_100,
      iterations: still ? 1 : TIMES,
      easing: 'ease-in-out',
    });
  }
  found[0]?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: still ? 'auto' : 'smooth' });
}
