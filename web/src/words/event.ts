/** The words of the area "event" in the visitor's language. */
import { speak } from '../lib/words';
import en from './en/event';
import fr from './fr/event';

export const t = speak({ en, fr });
