// Movement that shows where a tile came from: measured before and after a change, then played between the two.

export type Places = Map<string, DOMRect>;

/** Where every tile is now. */
export function measure(root: ParentNode): Places {
  const places: Places = new Map();
  for (const element of root.querySelectorAll<HTMLElement>('[data-tile]')) {
    places.set(element.dataset.tile ?? '', element.getBoundingClientRect());
  }
  return places;
}

/** Let every tile move from where it was; one that was nowhere comes from `origin`. */
export function play(root: ParentNode, before: Places, origin: DOMRect | null, duration: number): void {
  if (duration <= 0) return;
  for (const element of root.querySelectorAll<HTMLElement>('[data-tile]')) {
    const to = element.getBoundingClientRect();
    const known = before.get(element.dataset.tile ?? '');
    const from = known ?? origin;
    if (from === null || from === undefined || to.width === 0) continue;
    const x = from.left + from.width / 2 - to.left - to.width / 2;
    const y = from.top + from.height / 2 - to.top - to.height / 2;
    const scale = known === undefined ? 0.5 : from.width / to.width;
    if (Math.abs(x) < 1 && Math.abs(y) < 1 && Math.abs(scale - 1) < 0.02) continue;
    element.animate(
      [
        { transform: `translate(${x}px, ${y}px) scale(${scale})`, zIndex: 5, ...(known === undefined ? { opacity: 0.3 } : {}) },
        { transform: 'none', zIndex: 5 },
      ],
      { duration, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
    );
  }
}
