import type { PanelEnvironment } from "./environment.ts";

/**
 * Makes the folder beside a narration that holds the voices of single cues; another voicing has a folder of its own.
 *
 * @returns The path in it of a file with a name.
 */
export async function voiceFilesBeside(
  { files, pathIn }: Pick<PanelEnvironment, "files" | "pathIn">,
  audioPath: string,
): Promise<(name: string) => string> {
  const folder = audioPath.replace(/\.[^./\\]*$/, "");
  await files.makeFolder(folder);
  return (name) => pathIn(folder, name);
}
