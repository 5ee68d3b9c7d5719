import type { Command } from "./command.ts";
import { tableOf } from "./table.ts";
import { EXIT, UsageError } from "./usage-error.ts";

/** Lists what can write descriptions, in the order in which it is chosen. */
export const DESCRIBERS: Command = {
  name: "describers",
  summary:
    "List what can write descriptions in the embedded service, in the order of choice, and what reads text on screen.",
  synopsis: "[options]",
  notes: [
    "ASIDE_VISION_URL, ASIDE_VISION_MODEL and ASIDE_VISION_KEY name a vision model; ASIDE_VISION_URL=off forbids any. Without them a model that runs on this computer is used. ASIDE_GLOSSARY names a file with names and terms for it.",
    "ASIDE_OCR_DATA names a folder with Tesseract's language data for text on screen; ASIDE_OCR_DATA=off leaves such text unread.",
  ],
  options: { json: { help: "Print JSON, and nothing else, on standard output." } },
  async run({ values, positionals }, { output, env }) {
    if (positionals.length > 0) throw new UsageError(`aside describers takes no "${positionals[0]}"`);
    // Loaded here alone: help and version start without the describers.
    const { listDescribers } = await import("../service/describe/choose-describer.ts");
    const { readingState } = await import("../service/ocr/language-data.ts");
    const states = [...(await listDescribers(env)), { name: "screen text", ...(await readingState(env)) }];
    const rows = states.map(({ name, isAvailable, detail }) => [name, isAvailable ? "ready" : "no", detail]);
    output.print(values["json"] === true ? JSON.stringify(states) : tableOf(["NAME", "READY", "WHAT"], rows));
    return EXIT.done;
  },
};
