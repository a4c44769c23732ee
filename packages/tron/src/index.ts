/** The chain: addresses, keys, events, transaction bytes and a client of one node. */
export {
  addressFromHex,
  addressFromPrivateKey,
  addressToHex,
  contractAddress,
  parseAddress,
  type TronAddress,
  tryAddressFromHex,
} from './address.ts'
export {
  decodeTransfer,
  decodeTransferCall,
  encodeAddressWord,
  encodeTransferCall,
  encodeUintWord,
  type Log,
  TRANSFER_TOPIC,
  type Transfer,
} from './events.ts'
export {
  accountPrivateKey,
  accountXpub,
  depositAccountKey,
  depositAddress,
  depositPrivateKeyOf,
  depositXpub,
  newMnemonic,
} from './keys.ts'
export {
  DEVNET,
  DEVNET_ROLES,
  type DevnetRole,
  devnetAddress,
  devnetKey,
  USDT_CONTRACTS,
} from './networks.ts'
export type { Block, BlockHeader, BlockTransaction, Receipt, ReceiptLog } from './node-answers.ts'
export {
  type BroadcastReply,
  type CallResult,
  createNodeClient,
  type NodeClient,
  type Prices,
  type TrialResult,
  type View,
} from './node-client.ts'
export { NodeError, type NodeErrorCode, type NodeOptions } from './node-http.ts'
export {
  bytesField,
  bytesOf,
  type Field,
  FormatError,
  integerOf,
  message,
  readFields,
  varintField,
} from './protobuf.ts'
export {
  blockReference,
  type ContractCall,
  decodeRaw,
  decodeSigned,
  encodeRaw,
  encodeSigned,
  type RawTransaction,
  recoverSigner,
  type SignedBytes,
  type SignedTransaction,
  signTransaction,
  transactionId,
  typeUrl,
} from './transaction.ts'
