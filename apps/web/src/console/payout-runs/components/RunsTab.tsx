import { useEffect, useState } from 'react'
import { usePlace } from '../../shared/place.ts'
import { RunsList } from './RunsList.tsx'
import { RunView } from './RunView.tsx'
import './runs.css'

/** What was decided is carried out by a job a moment later; until then nothing says that a run is under way. */
const SOON = 10_000

/** The list of runs, or the one whose number the address names. */
export function RunsTab() {
  const place = usePlace()
  const [decided, setDecided] = useState(0)
  const [watching, setWatching] = useState(false)
  useEffect(() => {
    if (decided === 0) return
    setWatching(true)
    const timer = setTimeout(() => setWatching(false), SOON)
    return () => clearTimeout(timer)
  }, [decided])

  const run = place.run
  const isOpen = place.state === 'open'
  if (run !== null && /^[1-9]\d{0,8}$/.test(run)) {
    return (
      <RunView
        key={run}
        id={Number(run)}
        watching={watching}
        onDecided={(decision) => {
          setDecided(decided + 1)
          // The discarded computation is of no more interest; the one that follows is.
          if (decision === 'cancel') place.show('runs')
        }}
      />
    )
  }
  return (
    <RunsList
      page={place.page}
      open={isOpen}
      watching={watching}
      onPage={(page) => place.show('runs', { state: isOpen ? 'open' : null, page })}
      onOpen={(open) => place.show('runs', { state: open ? 'open' : null })}
    />
  )
}
