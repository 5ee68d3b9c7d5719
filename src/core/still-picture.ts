const STILL = /\.(?:png|jpe?g|jpe|tiff?|tga|bmp|gif|psd|psb|ai|eps|exr|dpx|heic|webp)$/i;

/** Whether an address or file name ends like a picture without a time of its own. */
export function isStillName(location: string): boolean {
  return STILL.test(location.replace(/[?#].*$/, ""));
}
