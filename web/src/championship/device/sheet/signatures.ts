/** Signatures drawn with a finger, put together on one picture with their names. */

const WIDTH = 640;
const HEIGHT = 160;

export async function signatureSheet(signatures: { name: string; canvas: HTMLCanvasElement }[]): Promise<Blob | null> {
  const whole = document.createElement('canvas');
  whole.width = WIDTH;
  whole.height = (HEIGHT + 40) * signatures.length;
  const pen = whole.getContext('2d');
  if (!pen) return null;
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, whole.width, whole.height);
  pen.fillStyle = '#000000';
  pen.font = '22px sans-serif';
  signatures.forEach(({ name, canvas }, place) => {
    const top = place * (HEIGHT + 40);
    pen.fillText(name, 12, top + 28);
    pen.drawImage(canvas, 0, top + 36, WIDTH, HEIGHT);
  });
  return new Promise((resolve) => whole.toBlob(resolve, 'image/png'));
}
