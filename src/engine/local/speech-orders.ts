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

/** Everything that can be ordered, by kind; each order names its model. */
export interface SpeechOrders {
  readonly say: { readonly order: SayOrder; readonly answer: EngineSound };
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
