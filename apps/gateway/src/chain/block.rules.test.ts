import {
  type Block,
  type BlockTransaction,
  encodeAddressWord,
  encodeTransferCall,
  encodeUintWord,
  type Receipt,
  TRANSFER_TOPIC,
} from '@aval/tron'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAnomaly, LARGEST_CREDIT, verdictOf } from '../ingest/classify.rules.ts'
import {
  assetTransfer,
  call,
  failedTransfer,
  OTHER_TOKEN,
  PAYER,
  type ScriptedTransaction,
  someAddress,
  tokenTransfer,
  transferFromData,
  transferLog,
  trc10Transfer,
  USDT,
} from '../testing/scripted-chain.ts'
import { decodeTransferFromCall, mayHaveLogs, movementsOf } from './block.rules.ts'

const ours = someAddress(1)
const theirs = someAddress(2)
const words = [TRANSFER_TOPIC, encodeAddressWord(PAYER), encodeAddressWord(ours)]

function listed(transaction: ScriptedTransaction): BlockTransaction {
  const { type: contractType, owner: from, result, listed = result, logs: _logs, ...rest } = transaction
  return { ...rest, contractType, from, success: listed === 'SUCCESS' }
}

function receiptOf(transaction: ScriptedTransaction): Receipt {
  return {
    txid: transaction.txid,
    blockNumber: 7,
    timestamp: new Date(0),
    success: transaction.result === 'SUCCESS',
    result: transaction.result,
    fee: 0n,
    energyUsed: 0,
    logs: transaction.logs.map((log, index) => ({ ...log, index })),
  }
}

function blockOf(transactions: readonly ScriptedTransaction[]): Block {
  return {
    number: 7,
    id: '7'.repeat(64),
    parentId: '6'.repeat(64),
    timestamp: new Date(0),
    transactions: transactions.map(listed),
    txids: transactions.map((each) => each.txid),
  }
}

/** Verdict, position and value of every movement to our address. */
function verdicts(...transactions: readonly ScriptedTransaction[]) {
  return movementsOf(blockOf(transactions), transactions.map(receiptOf))
    .filter((movement) => movement.to === ours)
    .map((movement) => [verdictOf(movement, USDT), movement.position, movement.value])
}

const CREDITED = ['credit', 0, 5n]
const FAILED = ['failed', -1, 5n]

describe('what is credited', () => {
  it.each(
    Object.entries<[ScriptedTransaction, ...unknown[]]>({
      'a plain transfer': [tokenTransfer(ours, 5n), CREDITED],
      'the largest one we take': [tokenTransfer(ours, LARGEST_CREDIT), ['credit', 0, LARGEST_CREDIT]],
      'a transfer inside another contract’s call': [
        call({
          contract: OTHER_TOKEN,
          data: 'deadbeef',
          logs: [transferLog(theirs, 1n), transferLog(ours, 5n)],
        }),
        ['credit', 1, 5n],
      ],
      'each of two transfers in one transaction, under its own position': [
        call({ logs: [transferLog(ours, 5n), transferLog(ours, 5n)] }),
        ['credit', 0, 5n],
        ['credit', 1, 5n],
      ],
      'a transferFrom': [call({ data: transferFromData(ours, 5n), logs: [transferLog(ours, 5n)] }), CREDITED],
      'less than was asked for, when the token takes a fee': [
        tokenTransfer(ours, 1_000n, { logs: [transferLog(ours, 990n), transferLog(theirs, 10n)] }),
        ['credit', 0, 990n],
      ],
    }),
  )('%s', (_name, [transaction, ...expected]) => {
    expect(verdicts(transaction)).toEqual(expected)
  })
})

describe('what is listed and never credited', () => {
  it.each(
    Object.entries<[ScriptedTransaction, ...unknown[]]>({
      'nothing, sent to us': [tokenTransfer(ours, 0n), ['zero_value', 0, 0n]],
      'another token': [tokenTransfer(ours, 5n, { contract: OTHER_TOKEN }), ['wrong_token', 0, 5n]],
      'another token’s event from a call to the pinned one': [
        tokenTransfer(ours, 5n, { logs: [transferLog(ours, 5n, OTHER_TOKEN)] }),
        ['wrong_token', 0, 5n],
      ],
      'an NFT': [
        call({
          contract: OTHER_TOKEN,
          logs: [{ contract: OTHER_TOKEN, topics: [...words, encodeUintWord(9n)], data: '' }],
        }),
        ['wrong_token', 0, 0n],
      ],
      'a transfer that was reverted': [failedTransfer(ours, 5n), FAILED],
      'a reverted transferFrom': [failedTransfer(ours, 5n, { data: transferFromData(ours, 5n) }), FAILED],
      'a reverted transfer of another token': [failedTransfer(ours, 5n, { contract: OTHER_TOKEN }), FAILED],
      'a transfer out of energy': [failedTransfer(ours, 5n, { result: 'OUT_OF_ENERGY' }), FAILED],
      'a failed transaction with an event': [
        failedTransfer(ours, 5n, { logs: [transferLog(ours, 5n)] }),
        FAILED,
      ],
      'a call that succeeded and moved nothing': [tokenTransfer(ours, 5n, { logs: [] }), FAILED],
      'a request for more than there can be': [
        failedTransfer(ours, 2n ** 256n - 1n),
        ['failed', -1, 2n ** 256n - 1n],
      ],
      'more of the pinned token than can be': [
        tokenTransfer(ours, LARGEST_CREDIT + 1n),
        ['failed', 0, LARGEST_CREDIT + 1n],
      ],
      'an event of the pinned token with data of the wrong length': [
        tokenTransfer(ours, 5n, {
          logs: [{ contract: USDT, topics: words, data: `${encodeUintWord(5n)}00` }],
        }),
        ['failed', 0, 0n],
      ],
      TRX: [assetTransfer(ours, 5n), ['wrong_asset', -1, 5n]],
      'a TRC10 asset': [trc10Transfer(ours, 5n, '1002000'), ['wrong_asset', -1, 5n]],
    }),
  )('%s', (_name, [transaction, ...expected]) => {
    expect(verdicts(transaction)).toEqual(expected)
  })

  it('an asset is named, and a TRC10 one by its id', () => {
    const { assetId: _untold, ...nameless } = trc10Transfer(ours, 5n, '1')
    const assets = [assetTransfer(ours, 5n), trc10Transfer(ours, 5n, '1002000'), nameless]
    const names = movementsOf(blockOf(assets), assets.map(receiptOf)).map((each) => each.contract)
    expect(names).toEqual(['TRX', 'TRC10:1002000', 'TRC10'])
  })

  it('is an anomaly only for an event of the pinned token', () => {
    const tooMuch = tokenTransfer(ours, LARGEST_CREDIT + 1n)
    const harmless = [
      failedTransfer(ours, 5n),
      tokenTransfer(ours, 5n),
      tokenTransfer(ours, 5n, { contract: OTHER_TOKEN }),
    ]
    const anomalies = (transaction: ScriptedTransaction) =>
      movementsOf(blockOf([transaction]), [receiptOf(transaction)]).filter((each) => isAnomaly(each, USDT))
    expect(anomalies(tooMuch)).toHaveLength(1)
    expect(harmless.flatMap(anomalies)).toEqual([])
  })
})

describe('what does not concern us', () => {
  it.each(
    Object.entries<ScriptedTransaction>({
      'a transfer to another address': tokenTransfer(theirs, 5n),
      'a call that carries our address elsewhere': call({
        data: `095ea7b3${encodeAddressWord(ours)}${encodeUintWord(5n)}`,
      }),
      'an approval event': call({
        logs: [{ contract: USDT, topics: ['8c'.repeat(32), ...words.slice(1)], data: encodeUintWord(5n) }],
      }),
      'TRX that failed to move': { ...assetTransfer(ours, 5n), result: 'FAILED' },
      'transfer data in a transaction that is no contract call': {
        ...assetTransfer(theirs, 5n),
        data: encodeTransferCall(ours, 5n),
      },
    }),
  )('%s', (_name, transaction) => {
    expect(verdicts(transaction)).toEqual([])
  })
})

describe('answers that contradict each other', () => {
  it.each(
    Object.entries<ScriptedTransaction>({
      'the block says it failed, the receipt that it did not': tokenTransfer(ours, 5n, { listed: 'REVERT' }),
      'the block says it succeeded, the receipt that it failed': failedTransfer(ours, 5n, {
        listed: 'SUCCESS',
      }),
    }),
  )('are disputed: %s', (_name, transaction) => {
    expect(verdicts(transaction).map(([verdict]) => verdict)).toEqual(['disputed'])
  })
})

describe('reading a block', () => {
  it('needs receipts only where code ran, or where a transaction is of a kind we cannot read', () => {
    expect(mayHaveLogs(blockOf([]))).toBe(false)
    expect(mayHaveLogs(blockOf([assetTransfer(ours, 5n)]))).toBe(false)
    expect(mayHaveLogs(blockOf([assetTransfer(ours, 5n), tokenTransfer(ours, 5n)]))).toBe(true)
    expect(mayHaveLogs({ ...blockOf([]), txids: ['a'.repeat(64)] })).toBe(true)
  })

  it('keeps the block’s order, whatever order the receipts come in', () => {
    const asked = failedTransfer(ours, 3n)
    const twice = call({ logs: [transferLog(ours, 7n), transferLog(theirs, 8n), transferLog(ours, 6n)] })
    const block = [
      assetTransfer(ours, 9n),
      twice,
      asked,
      tokenTransfer(ours, 1n),
      trc10Transfer(ours, 2n, '1'),
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(block, { minLength: block.length }), (shuffled) => {
        const values = movementsOf(blockOf(block), shuffled.map(receiptOf)).map((each) => each.value)
        expect(values).toEqual([9n, 7n, 8n, 6n, 3n, 1n, 2n])
      }),
    )
  })

  it('finds the transfer in a transaction that only its receipt shows', () => {
    const hidden = tokenTransfer(ours, 5n)
    const block = { ...blockOf([hidden]), transactions: [] }
    expect(movementsOf(block, [receiptOf(hidden)]).map((each) => verdictOf(each, USDT))).toEqual(['credit'])
  })

  it('never credits a log that is not exactly a Transfer event, whatever it holds', () => {
    const hex = (length: number) =>
      fc
        .uint8Array({ minLength: length, maxLength: length })
        .map((bytes) => Buffer.from(bytes).toString('hex'))
    const word = fc.oneof(hex(32), fc.constantFrom(...words), fc.constant(encodeUintWord(5n)))
    const data = fc.oneof(word, fc.nat(80).chain(hex), fc.constant(''))
    const topics = fc.array(word, { maxLength: 4 })
    const mangled = fc
      .oneof(
        topics,
        fc.constant(words),
        topics.map((more) => [...words, ...more].slice(0, 4)),
      )
      .chain((chosen) => fc.record({ topics: fc.constant(chosen), data }))
    fc.assert(
      fc.property(mangled, (log) => {
        const transaction = call({ logs: [{ contract: USDT, ...log }] })
        const [topic, sender = '', receiver] = log.topics
        const exact =
          log.topics.length === 3 &&
          topic === TRANSFER_TOPIC &&
          receiver === words[2] &&
          log.data.length === 64
        const value = exact && /^0{24}/.test(sender) ? BigInt(`0x${log.data}`) : 0n
        const credited = verdicts(transaction).filter(([verdict]) => verdict === 'credit')
        expect(credited).toEqual(value > 0n && value <= LARGEST_CREDIT ? [['credit', 0, value]] : [])
      }),
      { numRuns: 500 },
    )
  })

  it('decodes only call data of transferFrom', () => {
    const good = transferFromData(ours, 5n)
    expect(decodeTransferFromCall(good)).toEqual({ to: ours, value: 5n })
    for (const bad of [
      '',
      good.slice(2),
      `${good}00`,
      `a${good.slice(1)}`,
      good.replace(/0{24}/g, '1'.repeat(24)),
    ]) {
      expect(decodeTransferFromCall(bad)).toBeNull()
    }
  })
})
