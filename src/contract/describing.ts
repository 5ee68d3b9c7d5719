import * as z from "zod/mini";

/** Edit points that an order names at the most: one a second of nearly three hours. */
export const MOST_CUTS = 10_000;

/**
 * Addition of this service: `generation_config.describing`, how a model goes about a description. Without effect beside
 * `description_content`.
 */
export const DescribingSchema = z.object({
  /** What the editor knows of the film, as `report.bible` of an earlier job has it; it stands over what a model finds. */
  bible: z.exactOptional(z.string().check(z.maxLength(200_000))),
  /** Where the picture of the cut changes, in seconds on the programme clock, for pictures that look alike. */
  cuts: z.exactOptional(z.array(z.number().check(z.minimum(0))).check(z.maxLength(MOST_CUTS))),
  /** Extended AD: the time that holds may add, in hundredths of the programme's length. */
  maximum_added_percent: z.exactOptional(z.number().check(z.minimum(0), z.maximum(1000))),
  /** Money that asking a model may cost, in the currency of its stated price. */
  maximum_cost: z.exactOptional(z.number().check(z.minimum(0))),
});

/** These settings as they are sent. */
export type DescribingOnWire = z.output<typeof DescribingSchema>;
