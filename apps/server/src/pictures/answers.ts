/**
 * The socket between the API and the program that draws pictures, a connection for each: one way the file and its end, the other way
 * `BEGUN` and, when it is done, one of the outcomes. Behind `drawn` comes the picture. A connection that ends after `BEGUN` without an
 * outcome belongs to a picture that ended the program.
 */
export const BEGUN = 'b'
export const OUTCOMES = { drawn: 'd', image_invalid: 'i', image_too_large: 'l' } as const

/** Why there is no picture. */
export type Fault = Exclude<keyof typeof OUTCOMES, 'drawn'>
