import { visibleText } from "../../../core/text.ts";
import { hasOllamaModel, PULLABLE_MODELS, type PullProgress, pullModel } from "../../../engine/models/pull-model.ts";
import { ollamaRoot } from "../../../engine/models/vision-settings.ts";
import { isLocalOnly } from "../../../engine/outgoing/local-only.ts";
import { agrees } from "../../shell/agree.ts";
import type { CommandContext } from "../../shell/command.ts";
import { tableOf } from "../../shell/output.ts";
import { EXIT, type ExitCode, UsageError } from "../../shell/usage-error.ts";

/** Milliseconds between two lines of progress where they do not overwrite each other. */
const PLAIN_INTERVAL_MS = 10_000;

/**
 * Has Ollama fetch a model, once the user agrees to the size; `list` shows the models that suit.
 *
 * @throws UsageError when nobody can be asked, `VisionError` when it cannot be fetched, the signal's reason.
 */
export async function pull(
  name: string,
  { isAgreed, isJson }: { readonly isAgreed: boolean; readonly isJson: boolean },
  { output, screen, env, signal }: CommandContext,
): Promise<ExitCode> {
  if (name === "list") {
    const rows = PULLABLE_MODELS.map((model) => [model.name, `${model.gigabytes} GB`, model.remark]);
    output.print(isJson ? JSON.stringify(PULLABLE_MODELS) : tableOf(["NAME", "SIZE", "FOR"], rows));
    return EXIT.done;
  }
  if (isLocalOnly(env))
    throw new UsageError("nothing may leave this computer (privacy.local_only), and nothing is fetched");
  const root = ollamaRoot(env);
  if (await hasOllamaModel(root, name, signal)) {
    output.print(isJson ? JSON.stringify({ model: name, isNew: false }) : `Ollama has ${name} already.`);
    return EXIT.done;
  }
  const size = PULLABLE_MODELS.find((model) => model.name === name)?.gigabytes;
  const offer = `Ollama at ${new URL(root).host} will fetch ${name} from the internet, ${size === undefined ? "usually 2 to 20 GB" : `about ${size} GB`}.`;
  output.tell(offer);
  if (!isAgreed && !process.stdin.isTTY) throw new UsageError("nobody can be asked here: agree to the size with --yes");
  if (!isAgreed && !(await agrees("Fetch it?", signal))) {
    output.tell("Nothing was fetched.");
    return EXIT.done;
  }
  const show = progressLine((text) => screen.write(text), screen.isTTY === true);
  await pullModel(root, name, signal, show.update).finally(show.end);
  output.print(
    isJson
      ? JSON.stringify({ model: name, isNew: true })
      : `Ollama has ${name} now. It is used where no other is configured.`,
  );
  return EXIT.done;
}

/** Shows a download on one line that changes, or on plain lines now and then. */
function progressLine(write: (text: string) => void, isLive: boolean) {
  let shownAt = Number.NEGATIVE_INFINITY;
  let last = "";
  return {
    update({ state, completedBytes, totalBytes }: PullProgress): void {
      const sizes = totalBytes === 0 ? "" : `  ${gigabytes(completedBytes)} of ${gigabytes(totalBytes)} GB`;
      const line = `${state.replace(/^pulling [0-9a-f]{6,}$/, "fetching")}${sizes}`;
      const now = performance.now();
      if (line === last || (!isLive && now - shownAt < PLAIN_INTERVAL_MS)) return;
      [shownAt, last] = [now, line];
      write(isLive ? `\r\u001b[2K● ${visibleText(line)}` : `${visibleText(line)}\n`);
    },
    end(): void {
      if (isLive) write("\r\u001b[2K");
    },
  };
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(2);
}
