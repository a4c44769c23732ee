import type { Config } from '../config.ts'

/** The page that shows a transaction; null where there is no explorer. */
export function explorerUrl(
  config: Pick<Config, 'explorerUrl' | 'devnetUrl'>,
  txid: string | null,
): string | null {
  if (txid === null || config.explorerUrl === null) return null
  return `${config.explorerUrl}${config.devnetUrl === null ? '/transaction/' : '/tx/'}${txid}`
}
