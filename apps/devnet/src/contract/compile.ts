/** Turns a contract of the folder contract/ into the text of its generated module, the same bytes every time. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

/** By their names in Solidity. */
export const CONTRACTS = ['Usdt', 'Several'] as const
type ContractName = (typeof CONTRACTS)[number]

export const artifactOf = (name: ContractName) =>
  new URL(`./${name.toLowerCase()}.generated.ts`, import.meta.url)

const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.array(z.unknown()),
          evm: z.object({ bytecode: z.object({ object: z.string() }) }),
        }),
      ),
    )
    .default({}),
})

/**
 * Compiles a contract.
 * @throws when the compiler reports anything, warnings included
 */
export function compileContract(name: ContractName): string {
  const file = `${name}.sol`
  const source = readFileSync(new URL(`../../contract/${file}`, import.meta.url), 'utf8')
  const solc: unknown = createRequire(import.meta.url)('solc')
  const compile = z.object({ compile: z.custom<(input: string) => string>() }).parse(solc).compile
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: source } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'shanghai',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const result = output.parse(JSON.parse(compile(JSON.stringify(input))))
  const contract = result.contracts[file]?.[name]
  if (result.errors.length > 0 || contract === undefined) {
    throw new Error(result.errors.map((error) => error.formattedMessage).join('\n') || 'nothing was compiled')
  }
  return [
    `// Generated from contract/${file} by src/cli/compile-contracts.ts. Do not edit.`,
    '',
    `export const ${name.toUpperCase()}_ABI = ${JSON.stringify(contract.abi, null, 2)} as const`,
    '',
    `export const ${name.toUpperCase()}_BYTECODE =\n  '${contract.evm.bytecode.object}'`,
    '',
  ].join('\n')
}
