import { filmPath, type PageFiles } from "./page-files.ts";

/** Lets a person pick a file by its ending; `null` when they cancel. */
export async function pickFile(
  files: PageFiles,
  types: readonly string[],
): Promise<{ readonly name: string; readonly path: string } | null> {
  const field = document.createElement("input");
  field.type = "file";
  field.accept = types.map((type) => `.${type}`).join(",");
  const file = await new Promise<File | null>((resolve) => {
    field.addEventListener("change", () => resolve(field.files?.[0] ?? null));
    field.addEventListener("cancel", () => resolve(null));
    field.click();
  });
  if (file === null) return null;
  const path = filmPath(file.name);
  files.addFilm(path, file);
  return { name: file.name, path };
}
