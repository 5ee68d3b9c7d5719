import { partInForce, RECORDS_OPTIONS } from "../service-run/service-options.ts";
import type { Command } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Lists what can write descriptions, in the order in which it is chosen. */
export const DESCRIBERS: Command = {
  name: "describers",
  summary:
    "List what can write descriptions in the embedded service, in the order of choice, and what reads text on screen.",
  synopsis: "[options]",
  notes: [
    "aside settings names a vision model, or forbids any. ASIDE_VISION_URL (an address, or a name such as openai or ollama, or off), ASIDE_VISION_MODEL and ASIDE_VISION_KEY win over it; which of both it was is told on the error output. Without them a model that runs on this computer is used. ASIDE_GLOSSARY names a file with names and terms for it.",
    "ASIDE_OCR_DATA names a folder with Tesseract's language data for text on screen; ASIDE_OCR_DATA=off leaves such text unread.",
  ],
  options: {
    data: RECORDS_OPTIONS.data,
    json: { help: "Print JSON, and nothing else, on standard output." },
  },
  async run(given, { output, env }) {
    const { values, positionals } = given;
    if (positionals.length > 0) throw new UsageError(`aside describers takes no "${positionals[0]}"`);
    const { variables, sources, named } = await partInForce("describer", given, env);
    output.tell(sources);
    // Loaded here alone: help and version start without the describers.
    const { listDescribers } = await import("../../engine/describe/choose-describer.ts");
    const { readingState } = await import("../../engine/ocr/language-data.ts");
    const told = (await listDescribers(variables)).map((state) => ({ ...state, detail: named(state.detail) }));
    const states = [...told, { name: "screen text", ...(await readingState(variables)) }];
    const rows = states.map(({ name, isAvailable, detail }) => [name, isAvailable ? "ready" : "no", detail]);
    output.print(values["json"] === true ? JSON.stringify(states) : tableOf(["NAME", "READY", "WHAT"], rows));
    return EXIT.done;
  },
};
