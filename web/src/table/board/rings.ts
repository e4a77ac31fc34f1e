// Every player has a ring colour, and an initial where that is not enough.

/** Who laid or moved a tile. */
export interface Ring {
  readonly seat: number;
  readonly name: string;
  readonly initial: string;
}

/** The ring of each player. Two others of the same initial are told apart by their seats. */
export function rings(names: readonly string[], me: number | null): Ring[] {
  const initials = names.map((name) => [...name.trim()][0]?.toUpperCase() ?? '?');
  return names.map((name, seat) => {
    const initial = initials[seat] ?? '?';
    const shared = initials.some((one, other) => one === initial && other !== seat && other !== me && seat !== me);
    return { seat, name, initial: shared ? `${initial}${seat + 1}` : initial };
  });
}
