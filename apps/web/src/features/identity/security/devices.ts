import type { SessionItem } from '@aval/contract'

export type DeviceNames = SessionItem['device']

const HANDHELD: readonly (string | null)[] = ['iPhone', 'iPad', 'Android']

export const isPhone = ({ system }: DeviceNames): boolean => HANDHELD.includes(system)
