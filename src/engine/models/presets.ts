import { isLocalAddress } from "../../core/ports.ts";

/** What is known of one provider or local server: how it is reached, what it takes, and what it costs. */
export interface Preset {
  /** Name in `ASIDE_VISION_URL` and `ASIDE_VISION_PRESET`. */
  readonly name: string;
  /** Name for people. */
  readonly title: string;
  /** Base address of its OpenAI-compatible endpoint; `null` where every user has another. */
  readonly baseUrl: string | null;
  /** Tells its addresses, by host or port. */
  readonly address: RegExp | null;
  /** Whether it runs on a computer of the user's own. */
  readonly isLocal: boolean;
  /** `chat-completions` below the base address, or Ollama's own `/api/chat`. */
  readonly api: "chat-completions" | "ollama";
  /** Header that carries the key. */
  readonly keyHeader: "authorization" | "api-key";
  /** Where its list of models stands: below the base address, or `root:` below the server's root. */
  readonly modelList: string;
  /** Pictures that one request may hold. */
  readonly picturesPerRequest: number;
  /** Tokens of a picture of 1024 x 576, rather too many: for estimates. */
  readonly tokensPerPicture: number;
  /** Fewer tokens than this no picture takes, however small: a lower count means that one was left out. */
  readonly leastPictureTokens: number;
  /** How an answer is held to JSON; `prompt`: by the words of the question alone. */
  readonly json: "json_schema" | "json_object" | "prompt";
  /** Parameter that limits the length of the answer. */
  readonly lengthParameter: "max_tokens" | "max_completion_tokens";
  /** Length of an answer in tokens where the question states none; a model that thinks needs more than its words. */
  readonly answerTokens: number;
  /** Further parameters that help here. Hosted models refuse temperature and seed more often than they obey them. */
  readonly parameters: Readonly<Record<string, string | number>>;
  /** Requests at the same time. */
  readonly parallel: number;
  /** Seconds one request may take. */
  readonly timeoutSeconds: number;
  /** How a small model is asked, which has little room and loses its way; absent for models that take everything. */
  readonly small?: SmallModel;
}

/** What one question to a small model may hold, and how long its answers are. */
export interface SmallModel {
  /** Tokens of a question with its pictures and its answer. */
  readonly contextTokens: number;
  /** Characters of each text in an answer, and entries of each list. */
  readonly textCharacters: number;
  readonly listEntries: number;
  /** Events of the log in one question about the whole film, and in one scene that is written. */
  readonly logEvents: number;
  readonly sceneEvents: number;
  /** Lines that are looked at for the second time, made to fit, and read through, in one question each. */
  readonly checkedLines: number;
  readonly fittedLines: number;
  readonly readLines: number;
}

const HOSTED = {
  address: null,
  isLocal: false,
  api: "chat-completions",
  keyHeader: "authorization",
  modelList: "/models",
  picturesPerRequest: 16,
  tokensPerPicture: 1300,
  leastPictureTokens: 60,
  json: "json_schema",
  lengthParameter: "max_tokens",
  answerTokens: 8192,
  parameters: {},
  parallel: 4,
  timeoutSeconds: 180,
} as const satisfies Omit<Preset, "name" | "title" | "baseUrl">;

/** A model on a processor needs minutes for a few pictures, and answers one request after the other. */
const LOCAL = {
  ...HOSTED,
  isLocal: true,
  picturesPerRequest: 6,
  answerTokens: 4096,
  parameters: { temperature: 0.2, seed: 1 },
  parallel: 1,
  timeoutSeconds: 900,
} as const satisfies Omit<Preset, "name" | "title" | "baseUrl">;

/** The address that stands for the model which this program runs itself. The ending is reserved, so no server is there. */
export const HERE_URL = "http://this-computer.invalid/v1";

/** Qwen3-VL of 2 to 8 billion parameters: times confuse it, instructions are forgotten, and phrases come back without end. */
export const SMALL: SmallModel = {
  contextTokens: 8_192,
  textCharacters: 120,
  listEntries: 8,
  logEvents: 60,
  sceneEvents: 16,
  checkedLines: 3,
  fittedLines: 4,
  readLines: 30,
};

const OPENAI = {
  ...HOSTED,
  tokensPerPicture: 900,
  lengthParameter: "max_completion_tokens",
  parameters: { reasoning_effort: "low" },
} as const satisfies Omit<Preset, "name" | "title" | "baseUrl">;

/** Everything that differs between those whom a model can be asked of. The numbers are those of autumn 2026. */
export const PRESETS: readonly Preset[] = [
  {
    ...OPENAI,
    name: "openai",
    title: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    address: /^https:\/\/api\.openai\.com(?:[:/]|$)/,
  },
  {
    ...OPENAI,
    name: "azure",
    title: "Azure OpenAI",
    baseUrl: null,
    address: /^https:\/\/[^/]+\.(?:openai\.azure|cognitiveservices\.azure|services\.ai\.azure)\.com(?:[:/]|$)/,
    keyHeader: "api-key",
    picturesPerRequest: 10,
  },
  {
    ...HOSTED,
    name: "anthropic",
    title: "Anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    address: /^https:\/\/api\.anthropic\.com(?:[:/]|$)/,
    tokensPerPicture: 1000,
    json: "prompt",
  },
  {
    ...HOSTED,
    name: "gemini",
    title: "Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    address: /^https:\/\/generativelanguage\.googleapis\.com(?:[:/]|$)/,
    tokensPerPicture: 1100,
    parameters: { reasoning_effort: "low" },
  },
  {
    ...HOSTED,
    name: "mistral",
    title: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    address: /^https:\/\/api\.mistral\.ai(?:[:/]|$)/,
    picturesPerRequest: 8,
    tokensPerPicture: 2400,
  },
  {
    ...HOSTED,
    name: "openrouter",
    title: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    address: /^https:\/\/openrouter\.ai(?:[:/]|$)/,
  },
  {
    ...HOSTED,
    name: "groq",
    title: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    address: /^https:\/\/api\.groq\.com(?:[:/]|$)/,
    picturesPerRequest: 5,
    tokensPerPicture: 2048,
    lengthParameter: "max_completion_tokens",
    json: "json_object",
  },
  {
    ...HOSTED,
    name: "together",
    title: "Together",
    baseUrl: "https://api.together.xyz/v1",
    address: /^https:\/\/api\.together\.(?:xyz|ai)(?:[:/]|$)/,
    tokensPerPicture: 6404,
  },
  {
    ...HOSTED,
    name: "xai",
    title: "xAI",
    baseUrl: "https://api.x.ai/v1",
    address: /^https:\/\/api\.x\.ai(?:[:/]|$)/,
    modelList: "/language-models",
    tokensPerPicture: 1800,
    lengthParameter: "max_completion_tokens",
  },
  {
    ...LOCAL,
    name: "ollama",
    title: "Ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    address: /^https?:\/\/[^/]+:11434(?:\/|$)/,
    api: "ollama",
    modelList: "root:/api/tags",
  },
  {
    ...LOCAL,
    name: "lmstudio",
    title: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    address: /^https?:\/\/[^/]+:1234(?:\/|$)/,
    modelList: "root:/api/v1/models",
  },
  {
    ...LOCAL,
    name: "llamacpp",
    title: "llama.cpp",
    baseUrl: "http://127.0.0.1:9931/v1",
    address: /^https?:\/\/[^/]+:9931(?:\/|$)/,
  },
  {
    ...LOCAL,
    name: "vllm",
    title: "vLLM",
    baseUrl: "http://127.0.0.1:8000/v1",
    address: null,
    // It is built for many requests at once.
    parallel: 4,
  },
  {
    ...LOCAL,
    name: "localai",
    title: "LocalAI",
    baseUrl: "http://127.0.0.1:8080/v1",
    address: null,
    modelList: "/models/capabilities",
  },
  {
    ...LOCAL,
    name: "jan",
    title: "Jan",
    baseUrl: "http://127.0.0.1:1337/v1",
    address: /^https?:\/\/[^/]+:1337(?:\/|$)/,
  },
];

/** The model that this program runs itself, by the program of llama.cpp: installed, not found. */
export const HERE: Preset = {
  ...LOCAL,
  name: "here",
  title: "this computer",
  baseUrl: HERE_URL,
  address: null,
  // Its server gives a picture 256 to 512 tokens.
  tokensPerPicture: 512,
  leastPictureTokens: 16,
  answerTokens: 1536,
  // Phrases that come back are made ever less likely (DRY); names and signs of JSON come back all the time.
  parameters: { temperature: 0.2, seed: 1, top_k: 20, top_p: 0.8, dry_multiplier: 0.8, dry_allowed_length: 4 },
  timeoutSeconds: 1800,
  small: SMALL,
};

/** For an address that tells nothing about its server: what all of them take. */
const UNKNOWN_HOSTED: Preset = {
  ...HOSTED,
  name: "other",
  title: "another server",
  baseUrl: null,
  picturesPerRequest: 8,
  parallel: 2,
};
const UNKNOWN_LOCAL: Preset = { ...LOCAL, name: "other", title: "another server", baseUrl: null, parameters: {} };

/** The preset of that name, upper and lower case the same; `undefined` where there is none. */
export function presetNamed(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name.toLowerCase());
}

/** The preset of an address, by its host and port; a cautious one where they tell nothing. */
export function presetAt(baseUrl: string): Preset {
  if (baseUrl === HERE_URL) return HERE;
  const known = PRESETS.find(({ address }) => address?.test(baseUrl) === true);
  return known ?? (isLocalAddress(baseUrl) ? UNKNOWN_LOCAL : UNKNOWN_HOSTED);
}

/** Where a model is, for people: `at HOST`, or `on this computer` for the one that this program runs itself. */
export function placeOf(baseUrl: string): string {
  return baseUrl === HERE_URL ? "on this computer" : `at ${new URL(baseUrl).host}`;
}

/** The address of a server without the path of its OpenAI-compatible endpoint: where its own interface begins. */
export function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
}
