import type { MediaInputSent } from "../contract/generation.ts";
import { DIRECT_UPLOAD_MAX_BYTES } from "../contract/limits.ts";
import type { FileBytes, FormPart } from "./multipart.ts";
import type { Call } from "./request.ts";

/** Where a generation request takes its video from: known media, a public address, or a file of up to 32 MB. */
export type GenerationInput =
  | MediaInputSent
  | { readonly type: "file"; readonly file: FileBytes; readonly filename?: string };

/** The body of a generation request. @throws RangeError when its file is above the interface's 32 MB. */
export function generationCall(input: GenerationInput, config: object): Pick<Call, "json" | "form" | "isLong"> {
  if (input.type !== "file") return { json: { input, generation_config: config }, isLong: input.type === "url" };
  const form = fileForm(input.file, { type: "file", filename: input.filename ?? input.file.filename });
  return { form: [...form, { name: "generation_config", text: JSON.stringify(config) }], isLong: true };
}

/** A file and what it is, as a form. @throws RangeError when the file is above the interface's 32 MB. */
export function fileForm(file: FileBytes, input: object): FormPart[] {
  if (file.bytes.length > DIRECT_UPLOAD_MAX_BYTES) {
    throw new RangeError(`${file.bytes.length} bytes are too many for a direct upload; use the signed flow`);
  }
  return [
    { name: "input", text: JSON.stringify(input) },
    { name: "file", file },
  ];
}
