/** Environment variables by name, as a process has them or a test gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;
