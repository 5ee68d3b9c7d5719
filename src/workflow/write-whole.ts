import type { Files, FileWriter } from "../host/files.ts";

/**
 * Writes a file that is there whole or not at all: it has another name until it is finished.
 *
 * @throws what `write` rejects with, and HostError.
 */
export async function writeWhole(
  files: Pick<Files, "openWriter" | "rename">,
  path: string,
  write: (writer: FileWriter) => Promise<void>,
): Promise<void> {
  const part = `${path}.part`;
  const writer = await files.openWriter(part);
  try {
    await write(writer);
  } finally {
    await writer.close();
  }
  // Last of all: whoever finds the name trusts what is behind it.
  await files.rename(part, path);
}
