// A link or a picture handed on: by the device's own share sheet where there is one, else copied or saved.

import { fileAddress } from '../api/http';
import { copyText } from '../ui/clipboard';

export type Shared = 'shared' | 'copied' | 'failed';

/** Share a link. On a device that has a share sheet and no mouse, that; else it is copied. */
export async function shareLink(url: string, title: string): Promise<Shared> {
  if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
    try {
      await navigator.share({ url, title });
      return 'shared';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'shared';
    }
  }
  return (await copyText(url)) ? 'copied' : 'failed';
}

const SCALE = 2;

/** A picture of ours (SVG) as a PNG, twice its size so that it is sharp everywhere. Rejects if it cannot be drawn. */
export async function asPng(path: string): Promise<Blob> {
  const { href, release } = await fileAddress(path);
  const image = new Image();
  image.decoding = 'async';
  image.src = href;
  await image.decode().finally(release);
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * SCALE;
  canvas.height = image.naturalHeight * SCALE;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('no canvas');
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png');
  });
}
