import { filmPath, type PageFiles } from "./page-files.ts";

/** Lets a person pick a file; `null` when they cancel. `accept`: as the field of that name takes it. */
export function pickFile(accept: string): Promise<File | null> {
  const field = document.createElement("input");
  field.type = "file";
  field.accept = accept;
  return new Promise((resolve) => {
    field.addEventListener("change", () => resolve(field.files?.[0] ?? null));
    field.addEventListener("cancel", () => resolve(null));
    field.click();
  });
}

/** Lets a person pick a file by its ending, to be read by its path; `null` when they cancel. */
export async function pickFileOf(
  files: PageFiles,
  types: readonly string[],
): Promise<{ readonly name: string; readonly path: string } | null> {
  const file = await pickFile(types.map((type) => `.${type}`).join(","));
  if (file === null) return null;
  const path = filmPath(file.name);
  files.addFilm(path, file);
  return { name: file.name, path };
}
