// Two fingers on the table make its tiles larger or smaller.

export interface Pinch {
  /** The zoom now. */
  get: () => number;
  set: (zoom: number) => void;
}

const SMALLEST = 0.7;
const LARGEST = 1.9;

/** A Svelte action for the part of the page that is pinched. */
export function pinch(node: HTMLElement, { get, set }: Pinch): { destroy(): void } {
  const fingers = new Map<number, { x: number; y: number }>();
  let began: { distance: number; zoom: number } | null = null;

  const distance = (): number => {
    const [a, b] = [...fingers.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  };
  const down = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    began = fingers.size === 2 ? { distance: distance(), zoom: get() } : null;
  };
  const move = (event: PointerEvent): void => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (began === null || began.distance < 20) return;
    const zoom = (began.zoom * distance()) / began.distance;
    set(Math.round(Math.min(LARGEST, Math.max(SMALLEST, zoom)) * 20) / 20);
  };
  const up = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
    began = null;
  };

  node.addEventListener('pointerdown', down);
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', up);
  return {
    destroy: () => {
      node.removeEventListener('pointerdown', down);
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    },
  };
}
