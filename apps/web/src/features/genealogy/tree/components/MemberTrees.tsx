import type { TreeView } from '@aval/contract'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../ui/States.tsx'
import { useMode } from '../mode.ts'
import { useNetwork, useStarted } from '../useNetwork.ts'
import './cards.css'
import './tree.css'
import './memberTrees.css'
import { TreeBoard } from './TreeBoard.tsx'
import { ModeSwitch, ViewSwitch } from './TreeSwitches.tsx'

interface MemberTreesProps {
  /** The member's number, and what to call them. */
  readonly of: string
  readonly username: string
  /** Somebody in the network was pressed, by their number. */
  readonly onMember: (id: string) => void
}

/** What is below one member in both trees, for operators: read, and never changed. */
export function MemberTrees({ of, username, onMember }: MemberTreesProps) {
  const { t } = useTranslation('genealogy/tree')
  const [view, setView] = useState<TreeView>('binary')
  const { network, failure, isFetching, refetch } = useNetwork({ view, root: null, asOf: null, of })
  const isStarted = useStarted()
  const [mode, setMode] = useMode()
  const id = useId()
  return (
    <section className="card tree-page tree-card-frame member-trees" aria-labelledby={id}>
      <header className="row-12 row-apart tree-head">
        <h2 id={id}>{t('of', { name: username })}</h2>
        <div className="row-12">
          <ModeSwitch mode={mode} onChange={setMode} />
          <ViewSwitch view={view} onChange={setView} />
        </div>
      </header>
      {network === null && failure !== undefined ? (
        <div className="tree-board">
          <ErrorState failure={failure} onRetry={refetch} />
        </div>
      ) : (
        <TreeBoard
          network={network}
          isStarted={isStarted}
          isFetching={isFetching}
          failure={failure}
          onRetry={refetch}
          place={{ view, root: null, asOf: null, node: null }}
          show={() => undefined}
          refCode={undefined}
          onSearch={() => undefined}
          mode={mode}
          onMember={(name) => onMember(name.replace(/^O-/, ''))}
        />
      )}
    </section>
  )
}
