// Generated from contract/Usdt.sol by src/cli/compile-contracts.ts. Do not edit.

export const USDT_ABI = [
  {
    "inputs": [
      {
        "internalType": "string",
        "name": "tokenName",
        "type": "string"
      },
      {
        "internalType": "string",
        "name": "tokenSymbol",
        "type": "string"
      },
      {
        "internalType": "uint256",
        "name": "supply",
        "type": "uint256"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "constructor"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      }
    ],
    "name": "AddedBlackList",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "owner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Approval",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "balance",
        "type": "uint256"
      }
    ],
    "name": "DestroyedBlackFunds",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Issue",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "previousOwner",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "OwnershipTransferred",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "feeBasisPoints",
        "type": "uint256"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "maxFee",
        "type": "uint256"
      }
    ],
    "name": "Params",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "Pause",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "Redeem",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "user",
        "type": "address"
      }
    ],
    "name": "RemovedBlackList",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [
      {
        "indexed": true,
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "indexed": true,
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "indexed": false,
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "Transfer",
    "type": "event"
  },
  {
    "anonymous": false,
    "inputs": [],
    "name": "Unpause",
    "type": "event"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      }
    ],
    "name": "addBlackList",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "allowance",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "spender",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "approve",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      }
    ],
    "name": "balanceOf",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "basisPointsRate",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "calcFee",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "decimals",
    "outputs": [
      {
        "internalType": "uint8",
        "name": "",
        "type": "uint8"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      }
    ],
    "name": "destroyBlackFunds",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "who",
        "type": "address"
      }
    ],
    "name": "getBlackListStatus",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "name": "isBlackListed",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "issue",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "maximumFee",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "mint",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "name",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "owner",
    "outputs": [
      {
        "internalType": "address",
        "name": "",
        "type": "address"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "pause",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "paused",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "amount",
        "type": "uint256"
      }
    ],
    "name": "redeem",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "user",
        "type": "address"
      }
    ],
    "name": "removeBlackList",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "uint256",
        "name": "newBasisPoints",
        "type": "uint256"
      },
      {
        "internalType": "uint256",
        "name": "newMaxFee",
        "type": "uint256"
      }
    ],
    "name": "setParams",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "symbol",
    "outputs": [
      {
        "internalType": "string",
        "name": "",
        "type": "string"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "totalSupply",
    "outputs": [
      {
        "internalType": "uint256",
        "name": "",
        "type": "uint256"
      }
    ],
    "stateMutability": "view",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transfer",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "from",
        "type": "address"
      },
      {
        "internalType": "address",
        "name": "to",
        "type": "address"
      },
      {
        "internalType": "uint256",
        "name": "value",
        "type": "uint256"
      }
    ],
    "name": "transferFrom",
    "outputs": [
      {
        "internalType": "bool",
        "name": "",
        "type": "bool"
      }
    ],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [
      {
        "internalType": "address",
        "name": "newOwner",
        "type": "address"
      }
    ],
    "name": "transferOwnership",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  },
  {
    "inputs": [],
    "name": "unpause",
    "outputs": [],
    "stateMutability": "nonpayable",
    "type": "function"
  }
] as const

export const USDT_BYTECODE =
  '608060405234801561000f575f5ffd5b5060405161162238038061162283398101604081905261002e91610164565b5f6100398482610260565b5060016100468382610260565b50600380546001600160a01b0319163390811790915560028290555f81815260066020526040808220849055517fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef906100a29085815260200190565b60405180910390a350505061031e565b634e487b7160e01b5f52604160045260245ffd5b5f82601f8301126100d5575f5ffd5b81516001600160401b038111156100ee576100ee6100b2565b604051601f8201601f19908116603f011681016001600160401b038111828210171561011c5761011c6100b2565b604052818152838201602001851015610133575f5ffd5b5f5b8281101561015157602081860181015183830182015201610135565b505f918101602001919091529392505050565b5f5f5f60608486031215610176575f5ffd5b83516001600160401b0381111561018b575f5ffd5b610197868287016100c6565b602086015190945090506001600160401b038111156101b4575f5ffd5b6101c0868287016100c6565b925050604084015190509250925092565b600181811c908216806101e557607f821691505b60208210810361020357634e487b7160e01b5f52602260045260245ffd5b50919050565b601f82111561025b578282111561025b57805f5260205f20601f840160051c602085101561023457505f5b90810190601f840160051c035f5b81811015610257575f83820155600101610242565b5050505b505050565b81516001600160401b03811115610279576102796100b2565b61028d8161028784546101d1565b84610209565b6020601f8211600181146102bf575f83156102a85750848201515b5f19600385901b1c1916600184901b178455610317565b5f84815260208120601f198516915b828110156102ee57878501518255602094850194600190920191016102ce565b508482101561030b57868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b6112f78061032b5f395ff3fe608060405234801561000f575f5ffd5b5060043610610187575f3560e01c80638456cb59116100d9578063db006a7511610093578063e47d60601161006e578063e47d60601461037d578063e4997dc51461039f578063f2fde38b146103b2578063f3bdc228146103c5575f5ffd5b8063db006a7514610337578063dd62ed3e1461034a578063dd644f7214610374575f5ffd5b80638456cb59146102c35780638da5cb5b146102cb57806395d89b41146102f6578063a9059cbb146102fe578063c0324c7714610311578063cc872b6614610324575f5ffd5b8063353907141161014457806359bf1abe1161011f57806359bf1abe146102495780635c975abb1461027457806370a082311461028857806375dc7d8c146102b0575f5ffd5b806335390714146102255780633f4ba83a1461022e57806340c10f1914610236575f5ffd5b806306fdde031461018b578063095ea7b3146101a95780630ecb93c0146101cc57806318160ddd146101e157806323b872dd146101f8578063313ce5671461020b575b5f5ffd5b6101936103d8565b6040516101a0919061109d565b60405180910390f35b6101bc6101b7366004611103565b610463565b60405190151581526020016101a0565b6101df6101da36600461112b565b610576565b005b6101ea60025481565b6040519081526020016101a0565b6101bc610206366004611144565b6105eb565b610213600681565b60405160ff90911681526020016101a0565b6101ea60055481565b6101df610722565b6101bc610244366004611103565b6107c9565b6101bc61025736600461112b565b6001600160a01b03165f9081526008602052604090205460ff1690565b6003546101bc90600160a01b900460ff1681565b6101ea61029636600461112b565b6001600160a01b03165f9081526006602052604090205490565b6101ea6102be36600461117e565b610861565b6101df61089a565b6003546102de906001600160a01b031681565b6040516001600160a01b0390911681526020016101a0565b61019361092b565b6101bc61030c366004611103565b610938565b6101df61031f366004611195565b6109c4565b6101df61033236600461117e565b610ab8565b6101df61034536600461117e565b610b8e565b6101ea6103583660046111b5565b600760209081525f928352604080842090915290825290205481565b6101ea60045481565b6101bc61038b36600461112b565b60086020525f908152604090205460ff1681565b6101df6103ad36600461112b565b610cb7565b6101df6103c036600461112b565b610d29565b6101df6103d336600461112b565b610def565b5f80546103e4906111e6565b80601f0160208091040260200160405190810160405280929190818152602001828054610410906111e6565b801561045b5780601f106104325761010080835404028352916020019161045b565b820191905f5260205f20905b81548152906001019060200180831161043e57829003601f168201915b505050505081565b6003545f90600160a01b900460ff16156104985760405162461bcd60e51b815260040161048f9061121e565b60405180910390fd5b8115806104c55750335f9081526007602090815260408083206001600160a01b0387168452909152902054155b6105115760405162461bcd60e51b815260206004820152601960248201527f72657365742074686520616c6c6f77616e636520666972737400000000000000604482015260640161048f565b335f8181526007602090815260408083206001600160a01b03881680855290835292819020869055518581529192917f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591015b60405180910390a35060015b92915050565b6003546001600160a01b031633146105a05760405162461bcd60e51b815260040161048f9061123e565b6001600160a01b0381165f81815260086020526040808220805460ff19166001179055517f42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc9190a250565b6003545f90600160a01b900460ff16156106175760405162461bcd60e51b815260040161048f9061121e565b6001600160a01b0384165f9081526008602052604090205460ff161561066d5760405162461bcd60e51b815260206004820152600b60248201526a189b1858dadb1a5cdd195960aa1b604482015260640161048f565b6001600160a01b0384165f908152600760209081526040808320338452909152902054828110156106d55760405162461bcd60e51b8152602060048201526012602482015271185b1b1bddd85b98d948195e18d95959195960721b604482015260640161048f565b5f1981101561070c576106e8838261127a565b6001600160a01b0386165f9081526007602090815260408083203384529091529020555b610717858585610ee9565b506001949350505050565b6003546001600160a01b0316331461074c5760405162461bcd60e51b815260040161048f9061123e565b600354600160a01b900460ff166107925760405162461bcd60e51b815260206004820152600a6024820152691b9bdd081c185d5cd95960b21b604482015260640161048f565b6003805460ff60a01b191690556040517f7805862f689e2f13df9f062ff482ad3ad112aca9e0847911ed832e158c525b33905f90a1565b6003545f906001600160a01b031633146107f55760405162461bcd60e51b815260040161048f9061123e565b8160025f828254610806919061128d565b90915550506001600160a01b0383165f908152600660205260408120805484929061083290849061128d565b90915550506040518281526001600160a01b038416905f905f5160206112d75f395f51905f5290602001610564565b5f5f6127106004548461087491906112a0565b61087e91906112b7565b9050600554811161088f5780610893565b6005545b9392505050565b6003546001600160a01b031633146108c45760405162461bcd60e51b815260040161048f9061123e565b600354600160a01b900460ff16156108ee5760405162461bcd60e51b815260040161048f9061121e565b6003805460ff60a01b1916600160a01b1790556040517f6985a02210a168e66602d3235cb6db0e70f92b3ba4d376a33c0f3d9434bff625905f90a1565b600180546103e4906111e6565b6003545f90600160a01b900460ff16156109645760405162461bcd60e51b815260040161048f9061121e565b335f9081526008602052604090205460ff16156109b15760405162461bcd60e51b815260206004820152600b60248201526a189b1858dadb1a5cdd195960aa1b604482015260640161048f565b6109bc338484610ee9565b505f92915050565b6003546001600160a01b031633146109ee5760405162461bcd60e51b815260040161048f9061123e565b60148210610a2e5760405162461bcd60e51b815260206004820152600d60248201526c0e4c2e8ca40e8dede40d0d2ced609b1b604482015260640161048f565b6302faf080811115610a715760405162461bcd60e51b815260206004820152600c60248201526b0cccaca40e8dede40d0d2ced60a31b604482015260640161048f565b6004829055600581905560408051838152602081018390527fb044a1e409eac5c48e5af22d4af52670dd1a99059537a78b31b48c6500a6354e910160405180910390a15050565b6003546001600160a01b03163314610ae25760405162461bcd60e51b815260040161048f9061123e565b8060025f828254610af3919061128d565b90915550506003546001600160a01b03165f9081526006602052604081208054839290610b2190849061128d565b90915550506040518181527fcb8241adb0c3fdb35b70c24ce35c5eb0c17af7431c99f827d44a445ca624176a9060200160405180910390a16003546040518281526001600160a01b03909116905f905f5160206112d75f395f51905f52906020015b60405180910390a350565b6003546001600160a01b03163314610bb85760405162461bcd60e51b815260040161048f9061123e565b6003546001600160a01b03165f90815260066020526040902054811115610c145760405162461bcd60e51b815260206004820152601060248201526f18985b185b98d948195e18d95959195960821b604482015260640161048f565b8060025f828254610c25919061127a565b90915550506003546001600160a01b03165f9081526006602052604081208054839290610c5390849061127a565b90915550506040518181527f702d5967f45f6513a38ffc42d6ba9bf230bd40e8f53b16363c7eb4fd2deb9a449060200160405180910390a16003546040518281525f916001600160a01b0316905f5160206112d75f395f51905f5290602001610b83565b6003546001600160a01b03163314610ce15760405162461bcd60e51b815260040161048f9061123e565b6001600160a01b0381165f81815260086020526040808220805460ff19169055517fd7e9ec6e6ecd65492dce6bf513cd6867560d49544421d0783ddf06e76c24470c9190a250565b6003546001600160a01b03163314610d535760405162461bcd60e51b815260040161048f9061123e565b6001600160a01b038116610d945760405162461bcd60e51b815260206004820152600860248201526737379037bbb732b960c11b604482015260640161048f565b6003546040516001600160a01b038084169216907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a3600380546001600160a01b0319166001600160a01b0392909216919091179055565b6003546001600160a01b03163314610e195760405162461bcd60e51b815260040161048f9061123e565b6001600160a01b0381165f9081526008602052604090205460ff16610e725760405162461bcd60e51b815260206004820152600f60248201526e1b9bdd08189b1858dadb1a5cdd1959608a1b604482015260640161048f565b6001600160a01b0381165f9081526006602052604081208054908290556002805491928392610ea290849061127a565b90915550506040518181526001600160a01b038316907f61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c69060200160405180910390a25050565b6001600160a01b038216610f2d5760405162461bcd60e51b815260206004820152600b60248201526a3737903932b1b2b4bb32b960a91b604482015260640161048f565b6001600160a01b0383165f90815260066020526040902054811115610f875760405162461bcd60e51b815260206004820152601060248201526f18985b185b98d948195e18d95959195960821b604482015260640161048f565b5f610f9182610861565b6001600160a01b0385165f90815260066020526040812080549293508492909190610fbd90849061127a565b90915550610fcd9050818361127a565b6001600160a01b0384165f9081526006602052604081208054909190610ff490849061128d565b90915550508015611060576003546001600160a01b03165f908152600660205260408120805483929061102890849061128d565b90915550506003546040518281526001600160a01b03918216918616905f5160206112d75f395f51905f529060200160405180910390a35b6001600160a01b038084169085165f5160206112d75f395f51905f52611086848661127a565b60405190815260200160405180910390a350505050565b602081525f82518060208401525f5b818110156110c957602081860181015160408684010152016110ac565b505f604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b03811681146110fe575f5ffd5b919050565b5f5f60408385031215611114575f5ffd5b61111d836110e8565b946020939093013593505050565b5f6020828403121561113b575f5ffd5b610893826110e8565b5f5f5f60608486031215611156575f5ffd5b61115f846110e8565b925061116d602085016110e8565b929592945050506040919091013590565b5f6020828403121561118e575f5ffd5b5035919050565b5f5f604083850312156111a6575f5ffd5b50508035926020909101359150565b5f5f604083850312156111c6575f5ffd5b6111cf836110e8565b91506111dd602084016110e8565b90509250929050565b600181811c908216806111fa57607f821691505b60208210810361121857634e487b7160e01b5f52602260045260245ffd5b50919050565b6020808252600690820152651c185d5cd95960d21b604082015260600190565b6020808252600e908201526d37b7363c903a34329037bbb732b960911b604082015260600190565b634e487b7160e01b5f52601160045260245ffd5b8181038181111561057057610570611266565b8082018082111561057057610570611266565b808202811582820484141761057057610570611266565b5f826112d157634e487b7160e01b5f52601260045260245ffd5b50049056feddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
