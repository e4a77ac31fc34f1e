/** What this browser keeps of an account, which leaves with whoever signs out. Settings and offline games stay. */

/** Drafts and the order of racks at tables of the server, muted names, and who is notified here. */
const OF_ACCOUNT = ['meldroom.draft.', 'meldroom.rack.', 'meldroom.muted', 'meldroom.push'];

export function forgetAccount(memory: () => Storage = () => localStorage): void {
  try {
    const place = memory();
    const names = Array.from({ length: place.length }, (_, at) => place.key(at) ?? '');
    for (const name of names) {
      if (OF_ACCOUNT.some((own) => (own.endsWith('.') ? name.startsWith(own) : name === own))) place.removeItem(name);
    }
  } catch {
    // Without storage nothing was kept.
  }
}
