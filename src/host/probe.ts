/** A question about the host that no documentation answers. Asking changes nothing that stays. */
export interface Probe {
  readonly name: string;
  /** What was found, in a few words without names, paths and keys; raising is an answer too. */
  run(): Promise<string>;
}
