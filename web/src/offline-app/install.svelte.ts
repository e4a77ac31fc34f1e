/** Installing the app: where the browser offers it, it is asked; on an iPhone or iPad it is explained. */

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

const installed = (): boolean =>
  matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true;

/** No event is fired there; an iPad calls itself a Mac, but Macs have no touch screen. */
const onlyByHand = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export const installation: { state: 'none' | 'offered' | 'by hand' | 'done' } = $state({
  state: installed() ? 'done' : onlyByHand() ? 'by hand' : 'none',
});

let offered: InstallPrompt | null = null;

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offered = event as InstallPrompt;
  installation.state = 'offered';
});
addEventListener('appinstalled', () => (installation.state = 'done'));

/** Let the browser ask. */
export async function install(): Promise<void> {
  await offered?.prompt();
}
