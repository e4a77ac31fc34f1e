/** This browser's own name, made once: a table is bound to it. */
import { newId } from '../../../api/championships';

const STORED_AS = 'meldroom.device';
const LABEL = 'meldroom.device.label';
let made = '';

export function deviceId(): string {
  try {
    made ||= localStorage.getItem(STORED_AS) ?? '';
    if (!made) localStorage.setItem(STORED_AS, (made = newId()));
  } catch {
    made ||= newId();
  }
  return made;
}

/** What people call it: the sticker on its back. */
export function deviceLabel(): string {
  try {
    return localStorage.getItem(LABEL) ?? '';
  } catch {
    return '';
  }
}

export function nameDevice(label: string): void {
  try {
    localStorage.setItem(LABEL, label);
  } catch {
    // Then it is asked for again.
  }
}
