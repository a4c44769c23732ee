import type { CurrentUser } from '@aval/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../../../../ui/Field.tsx'
import { FormDialog } from '../../FormDialog.tsx'
import type { MemberKeyKind, PasskeyItem } from '../api.ts'
import { useMemberKeyChange } from '../useMemberKeyChange.ts'
import { useProof } from '../useProof.ts'
import { ProofFields } from './ProofFields.tsx'

interface MemberKeyDialogProps {
  kind: MemberKeyKind
  user: CurrentUser
  /** Those that could move the money from now on. */
  passkeys: readonly PasskeyItem[]
  onClose: () => void
  onDone: () => void
}

/** Each of what a change means, in the order in which it is read. */
const MEANINGS = {
  on: ['asks', 'others', 'lost'],
  off: ['codes', 'signed'],
  replaced: ['signed', 'then'],
  recovered: ['choose', 'checked', 'waits'],
} as const
const TITLES = { on: 'title', off: 'offTitle', replaced: 'replace', recovered: 'lost' } as const

/** What a change means, which passkey it is about, and the passkey's own window. */
export function MemberKeyDialog({ kind, user, passkeys, onClose, onDone }: MemberKeyDialogProps) {
  const { t } = useTranslation('identity/security')
  const proof = useProof(user.two_factor)
  const [chosen, setChosen] = useState(passkeys[0]?.id ?? '')
  const { busy, problem, submit } = useMemberKeyChange(user.id, proof, onDone)
  const needsChoice = kind !== 'off'
  return (
    <FormDialog
      title={t(`memberKey.${TITLES[kind]}`)}
      width={460}
      problem={{ kind: 'wait', text: problem }}
      action={t('memberKey.sign')}
      busy={busy}
      onSubmit={() => void submit({ kind, credentialId: needsChoice ? chosen : null })}
      onClose={onClose}
    >
      <ul className="member-key-means">
        {MEANINGS[kind].map((part) => (
          <li key={part}>{t(`memberKey.explain.${kind}.${part}` as 'memberKey.explain.on.asks')}</li>
        ))}
      </ul>
      {needsChoice ? (
        <SelectField
          label={t(`memberKey.choose${kind === 'on' ? '' : 'New'}`)}
          name="passkey"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {passkeys.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      ) : null}
      {kind === 'recovered' ? <ProofFields proof={proof} /> : null}
    </FormDialog>
  )
}
