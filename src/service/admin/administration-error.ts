import { AudioDescriptionError } from "../../core/error.ts";

/** An administration command that could not be carried out; `message` says why, and what to do. */
export class AdministrationError extends AudioDescriptionError<"administration_failed"> {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("administration_failed", message, options);
  }
}
