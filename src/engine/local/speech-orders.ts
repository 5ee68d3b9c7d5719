import type { InstalledModel } from "../store/installed.ts";

// What crosses between a service and its process of the speech library, which answers one order after the other.

/** A model as that process loads it. */
export interface OrderedModel {
  /** What a person orders it by, and knows it by. */
  readonly id: string;
  readonly title: string;
  readonly form: InstalledModel["form"];
  /** Whole paths of its files by the part that they play. */
  readonly files: Readonly<Record<string, string>>;
  /** Tells these files from others that stood there before. */
  readonly version: string;
}

/** A line that is to be spoken. */
export interface SayOrder {
  readonly kind: "say";
  readonly model: OrderedModel;
  readonly text: string;
  /** Number of the speaker in the model, from 0. */
  readonly speaker: number;
  /** Relative to the speed that is the model's own. */
  readonly speed: number;
  /** Language as the model's form takes it; empty for models of one language. */
  readonly language: string;
}

/** A piece of sound in which it is asked what is said, or what is heard. */
export interface HearOrder<Kind extends "transcribe" | "tag"> {
  readonly kind: Kind;
  readonly model: OrderedModel;
  /** One channel at 16 kHz, full scale at 1; half a minute at the most. */
  readonly samples: Float32Array;
}

/** What is said in a piece of sound. */
export interface HeardWords {
  readonly text: string;
  /** Parts of words in order, where the model tells their times: one that begins a word begins with a blank. */
  readonly tokens: readonly string[];
  /** When each begins, in seconds from the start of the piece, and how long it takes; empty where the model does not tell. */
  readonly starts: readonly number[];
  readonly lengths: readonly number[];
}

/** A kind of sound that is heard, by its name in AudioSet, and how likely: 0 to 1. */
export interface HeardKind {
  readonly name: string;
  readonly probability: number;
}

/** Everything that can be ordered, by kind; each order names its model. */
export interface SpeechOrders {
  readonly say: { readonly order: SayOrder; readonly answer: EngineSound };
  readonly transcribe: { readonly order: HearOrder<"transcribe">; readonly answer: HeardWords };
  readonly tag: { readonly order: HearOrder<"tag">; readonly answer: readonly HeardKind[] };
}

/** A sound of one channel, full scale at 1. */
export interface EngineSound {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}

/** Any order. */
export type SpeechOrder = SpeechOrders[keyof SpeechOrders]["order"];

/** What that process reports. */
export type FromSpeechProcess =
  // The library is loaded, and then the model: what ends the process before is the model's fault, or the library's.
  | { readonly type: "library" }
  | { readonly type: "model" }
  | { readonly type: "done"; readonly answer: unknown }
  // `missing`: the part of the model that is not there, where that is why.
  | { readonly type: "failed"; readonly missing: string | null };

/** What that process is told. */
export interface ToSpeechProcess {
  /** File of the library, whole path. */
  readonly library: string;
  readonly threads: number;
  readonly order: SpeechOrder;
}
