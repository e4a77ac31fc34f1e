/** Where the browser begins. */
import { mount } from 'svelte';

import App from './App.svelte';
import { startRouting } from './router.svelte';
import { startListening } from './api/session.svelte';
import { messagesReady } from './ui/messages.svelte';
import { apply, followSystem } from './ui/settings.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './locales/first-lines.css';

apply();
followSystem();
startRouting();
startListening();

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element #app');
void messagesReady().then(() => {
  target.replaceChildren();
  mount(App, { target });
});
