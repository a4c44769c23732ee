export type Contract = typeof import('@aval/contract')

export type Schema = Parameters<Contract['pageOf']>[0]

export type SchemaName = {
  [Name in keyof Contract]: Contract[Name] extends Schema ? Name : never
}[keyof Contract]

/** What travels under the schema of this name. */
export type Wire<Name extends SchemaName> = Contract[Name]['_zod']['output']

/**
 * Whether an answer is what the contract says it is: what every answer that shows money has to be. The schemas are a file of
 * their own (31 kB), fetched while the first such answer is on its way.
 *
 * @param words whether one of a list of words may also be a `new` one, which a newer server says: a list is shown, and one row of it says less
 */
export function conforms(
  pick: (contract: Contract) => Schema,
  words: 'known' | 'new' = 'known',
): (body: unknown) => Promise<boolean> {
  const contract = import('@aval/contract')
  // Whether it came is asked only where an answer did.
  contract.catch(() => undefined)
  return async (body) => {
    const { error } = pick(await contract).safeParse(body, { reportInput: true })
    if (error === undefined) return true
    const isNewWord = ({ code, input }: (typeof error.issues)[number]) =>
      code === 'invalid_value' && typeof input === 'string'
    return words === 'new' && error.issues.every(isNewWord)
  }
}
