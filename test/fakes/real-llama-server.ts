// llama.cpp's own engine behind the flags and the answers of its `llama-server`, for tests of the whole way: the engine is the
// real one (a build of it for Node), and its server is not to be had here.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { json } from "node:stream/consumers";

/** What is used of the engine's binding; its types come with a package that brings every build of it. */
interface EngineContext {
  initMultimodal(options: object): boolean;
  completion(options: object, onToken: () => void): Promise<EngineAnswer>;
  stopCompletion(): void;
  clearCache(clearData: boolean): void;
}

interface EngineAnswer {
  /** What it said, without the fences that some forms of conversation put around it. */
  readonly content?: string;
  readonly text: string;
  readonly tokens_predicted: number;
  readonly tokens_evaluated: number;
  readonly context_full: boolean;
  readonly stopped_limited: boolean;
  readonly timings: object;
}

interface Engine {
  readonly LlamaContext: new (options: object) => EngineContext;
}

const key = process.env["LLAMA_API_KEY"] ?? "";
/** A flag's value stands behind it. */
const flag = (name: string) => process.argv[process.argv.indexOf(`--${name}`) + 1] ?? "";

let context: EngineContext | null = null;
let isProcessing = false;

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(flag("port")), flag("host"), () => setImmediate(load));

/** A file that is none ends the process here, as it ends the real server. */
function load(): void {
  const engine: Engine = createRequire(import.meta.url)("@fugood/node-llama-linux-x64");
  const loaded = new engine.LlamaContext({
    model: flag("model"),
    n_ctx: Number(flag("ctx-size")),
    n_parallel: 1,
    n_threads: Number(flag("threads")),
    cache_type_k: flag("cache-type-k"),
    cache_type_v: flag("cache-type-v"),
    flash_attn_type: flag("flash-attn"),
    n_gpu_layers: 0,
    ctx_shift: false,
  });
  const tokens = {
    image_min_tokens: Number(flag("image-min-tokens")),
    image_max_tokens: Number(flag("image-max-tokens")),
  };
  if (!loaded.initMultimodal({ path: flag("mmproj"), use_gpu: false, ...tokens })) {
    process.stderr.write(`failed to load mmproj ${flag("mmproj")}\n`);
    process.exit(1);
  }
  context = loaded;
}

/** Where a picture stands among the words. */
const PICTURE = "<__media__>";

interface ChatPart {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: string | readonly ChatPart[] }[];
  readonly max_tokens?: number;
  readonly response_format?: object;
  readonly temperature?: number;
  readonly seed?: number;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, body: unknown) => {
    if (response.destroyed) return;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const refuse = (status: number, message: string, type: string) =>
    say(status, { error: { code: status, message, type } });
  if (context === null) return refuse(503, "Loading model", "unavailable_error");
  if (request.url === "/health") return say(200, { status: "ok" });
  if (request.headers.authorization !== `Bearer ${key}`) return refuse(401, "Invalid API Key", "authentication_error");
  if (request.url === "/v1/models") return say(200, { data: [{ id: flag("alias"), owned_by: "llamacpp" }] });
  if (request.url === "/slots") return say(200, [{ id: 0, is_processing: isProcessing }]);
  const body = (await json(request)) as ChatBody; // what the adapter sends, which other tests hold
  const loaded = context;
  isProcessing = true;
  response.once("close", () => loaded.stopCompletion());
  try {
    const { messages, max_tokens: most = 512, ...rest } = body;
    const pictures = messages.flatMap(({ content }) =>
      typeof content === "string" ? [] : content.flatMap(({ image_url: image }) => image?.url ?? []),
    );
    const turns = messages.map(({ role, content }) => ({
      role,
      content: typeof content === "string" ? content : content.map((part) => part.text ?? PICTURE).join("\n"),
    }));
    const told = await loaded.completion(
      { ...rest, messages: turns, media_paths: pictures, n_predict: most, enable_thinking: false },
      () => undefined,
    );
    if (told.context_full && told.tokens_predicted === 0) {
      const size = flag("ctx-size");
      const message = `request (${told.tokens_evaluated} tokens) exceeds the available context size (${size} tokens), try increasing it`;
      return refuse(400, message, "exceed_context_size_error");
    }
    say(200, {
      model: flag("alias"),
      choices: [
        {
          finish_reason: told.stopped_limited ? "length" : "stop",
          message: { role: "assistant", content: told.content ?? told.text },
        },
      ],
      usage: { prompt_tokens: told.tokens_evaluated, completion_tokens: told.tokens_predicted },
      timings: told.timings,
    });
  } catch (error) {
    refuse(/context/i.test(String(error)) ? 400 : 500, String(error), "server_error");
    // After an error this binding answers nothing any more; the real server goes on.
    setImmediate(() => process.exit(1));
  } finally {
    isProcessing = false;
  }
}
