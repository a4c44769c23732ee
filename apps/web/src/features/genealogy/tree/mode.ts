import { useState } from 'react'
import { storage } from '../../../api/storage.ts'

/** How the network is shown: as a chart, or as a list that is indented by generation. */
export type Mode = 'chart' | 'list'

const KEY = 'treeMode'

/** What was chosen last on this device; the chart where nothing was. */
export function useMode(): [Mode, (mode: Mode) => void] {
  const [mode, setMode] = useState<Mode>(() => (storage.get(KEY) === 'list' ? 'list' : 'chart'))
  const choose = (next: Mode) => {
    storage.set(KEY, next)
    setMode(next)
  }
  return [mode, choose]
}
