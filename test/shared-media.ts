import { fileURLToPath } from "node:url";

/** Path of a file of the shared media folder beside the checkout, such as `speech/friday.mp4`. */
export function sharedMedia(name: string): string {
  return fileURLToPath(new URL(`../../shared/media/${name}`, import.meta.url));
}
