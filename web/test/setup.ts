/** Every test has the messages of every language at hand, as a page has its own before it is shown. */
import { beforeAll } from 'vitest';

import { LANGUAGES } from '../src/locales/languages';
import { messagesReady } from '../src/ui/messages.svelte';

beforeAll(() => Promise.all(LANGUAGES.map(({ code }) => messagesReady(code))));
