/** What a server's answer to a question holds, whichever interface it has. */
export interface WireAnswer {
  readonly words: string;
  /** Whether the answer ended because its length was reached. */
  readonly isCut: boolean;
  /** Whether the model or a filter will not answer. */
  readonly isBlocked: boolean;
  /** Tokens of the question as the server counted them; `null` where it does not say. */
  readonly inputTokens: number | null;
  readonly outputTokens: number;
  /** The model that answered, where the server says so. */
  readonly model: string | null;
}
