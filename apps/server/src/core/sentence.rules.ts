/** What a person typed as a sentence, whether or not they ended it as one: others follow it. */
export const asSentence = (typed: string): string => (/[.!?…]$/.test(typed) ? typed : `${typed}.`)
