/** The words of the area "device" in the visitor's language. */
import { speak } from '../lib/words';
import en from './en/device';
import fr from './fr/device';

export const t = speak({ en, fr });
