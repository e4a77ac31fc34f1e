// Goes on to the site by itself as soon as this browser trusts it; until then, opens the steps for this device.
const site = document.currentScript.dataset.site;
const there = site + location.pathname + location.search + location.hash;
const show = (id, shown) => { document.getElementById(id).hidden = !shown; };

function system() {
  const agent = navigator.userAgent;
  if (/iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1)) return 'apple_mobile';
  if (/Android/.test(agent)) return 'android';
  if (/CrOS/.test(agent)) return 'chromeos';
  if (/Windows/.test(agent)) return 'windows';
  if (/Macintosh/.test(agent)) return 'mac';
  return 'linux';
}

async function isTrusted() {
  try {
    await fetch(site + '/healthz', { mode: 'no-cors', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}

async function goOn() {
  if (!(await isTrusted())) return false;
  show('checking', false);
  show('steps', false);
  show('trusted', true);
  location.replace(there);
  return true;
}

document.getElementById('on').href = there;
const steps = document.getElementById(system());
if (steps) {
  steps.open = true;
  steps.parentElement.prepend(steps);
}
show('checking', true);
goOn().then((gone) => {
  if (!gone) show('checking', false);
});
// Whoever comes back from the settings need not press anything.
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && goOn());
