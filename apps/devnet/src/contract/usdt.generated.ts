// Generated from contract/Usdt.sol by src/cli/compile-token.ts. Do not edit.

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
  '608060405234801561000f575f5ffd5b506040516115dd3803806115dd83398101604081905261002e91610164565b5f6100398482610260565b5060016100468382610260565b50600380546001600160a01b0319163390811790915560028290555f81815260066020526040808220849055517fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef906100a29085815260200190565b60405180910390a350505061031e565b634e487b7160e01b5f52604160045260245ffd5b5f82601f8301126100d5575f5ffd5b81516001600160401b038111156100ee576100ee6100b2565b604051601f8201601f19908116603f011681016001600160401b038111828210171561011c5761011c6100b2565b604052818152838201602001851015610133575f5ffd5b5f5b8281101561015157602081860181015183830182015201610135565b505f918101602001919091529392505050565b5f5f5f60608486031215610176575f5ffd5b83516001600160401b0381111561018b575f5ffd5b610197868287016100c6565b602086015190945090506001600160401b038111156101b4575f5ffd5b6101c0868287016100c6565b925050604084015190509250925092565b600181811c908216806101e557607f821691505b60208210810361020357634e487b7160e01b5f52602260045260245ffd5b50919050565b601f82111561025b578282111561025b57805f5260205f20601f840160051c602085101561023457505f5b90810190601f840160051c035f5b81811015610257575f83820155600101610242565b5050505b505050565b81516001600160401b03811115610279576102796100b2565b61028d8161028784546101d1565b84610209565b6020601f8211600181146102bf575f83156102a85750848201515b5f19600385901b1c1916600184901b178455610317565b5f84815260208120601f198516915b828110156102ee57878501518255602094850194600190920191016102ce565b508482101561030b57868401515f19600387901b60f8161c191681555b505060018360011b0184555b5050505050565b6112b28061032b5f395ff3fe608060405234801561000f575f5ffd5b506004361061016d575f3560e01c80638456cb59116100d9578063db006a7511610093578063e47d60601161006e578063e47d606014610338578063e4997dc51461035a578063f2fde38b1461036d578063f3bdc22814610380575f5ffd5b8063db006a75146102f2578063dd62ed3e14610305578063dd644f721461032f575f5ffd5b80638456cb591461027e5780638da5cb5b1461028657806395d89b41146102b1578063a9059cbb146102b9578063c0324c77146102cc578063cc872b66146102df575f5ffd5b8063353907141161012a578063353907141461020b5780633f4ba83a1461021457806340c10f191461021c5780635c975abb1461022f57806370a082311461024357806375dc7d8c1461026b575f5ffd5b806306fdde0314610171578063095ea7b31461018f5780630ecb93c0146101b257806318160ddd146101c757806323b872dd146101de578063313ce567146101f1575b5f5ffd5b610179610393565b6040516101869190611058565b60405180910390f35b6101a261019d3660046110be565b61041e565b6040519015158152602001610186565b6101c56101c03660046110e6565b610531565b005b6101d060025481565b604051908152602001610186565b6101a26101ec3660046110ff565b6105a6565b6101f9600681565b60405160ff9091168152602001610186565b6101d060055481565b6101c56106dd565b6101a261022a3660046110be565b610784565b6003546101a290600160a01b900460ff1681565b6101d06102513660046110e6565b6001600160a01b03165f9081526006602052604090205490565b6101d0610279366004611139565b61081c565b6101c5610855565b600354610299906001600160a01b031681565b6040516001600160a01b039091168152602001610186565b6101796108e6565b6101a26102c73660046110be565b6108f3565b6101c56102da366004611150565b61097f565b6101c56102ed366004611139565b610a73565b6101c5610300366004611139565b610b49565b6101d0610313366004611170565b600760209081525f928352604080842090915290825290205481565b6101d060045481565b6101a26103463660046110e6565b60086020525f908152604090205460ff1681565b6101c56103683660046110e6565b610c72565b6101c561037b3660046110e6565b610ce4565b6101c561038e3660046110e6565b610daa565b5f805461039f906111a1565b80601f01602080910402602001604051908101604052809291908181526020018280546103cb906111a1565b80156104165780601f106103ed57610100808354040283529160200191610416565b820191905f5260205f20905b8154815290600101906020018083116103f957829003601f168201915b505050505081565b6003545f90600160a01b900460ff16156104535760405162461bcd60e51b815260040161044a906111d9565b60405180910390fd5b8115806104805750335f9081526007602090815260408083206001600160a01b0387168452909152902054155b6104cc5760405162461bcd60e51b815260206004820152601960248201527f72657365742074686520616c6c6f77616e636520666972737400000000000000604482015260640161044a565b335f8181526007602090815260408083206001600160a01b03881680855290835292819020869055518581529192917f8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b92591015b60405180910390a35060015b92915050565b6003546001600160a01b0316331461055b5760405162461bcd60e51b815260040161044a906111f9565b6001600160a01b0381165f81815260086020526040808220805460ff19166001179055517f42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc9190a250565b6003545f90600160a01b900460ff16156105d25760405162461bcd60e51b815260040161044a906111d9565b6001600160a01b0384165f9081526008602052604090205460ff16156106285760405162461bcd60e51b815260206004820152600b60248201526a189b1858dadb1a5cdd195960aa1b604482015260640161044a565b6001600160a01b0384165f908152600760209081526040808320338452909152902054828110156106905760405162461bcd60e51b8152602060048201526012602482015271185b1b1bddd85b98d948195e18d95959195960721b604482015260640161044a565b5f198110156106c7576106a38382611235565b6001600160a01b0386165f9081526007602090815260408083203384529091529020555b6106d2858585610ea4565b506001949350505050565b6003546001600160a01b031633146107075760405162461bcd60e51b815260040161044a906111f9565b600354600160a01b900460ff1661074d5760405162461bcd60e51b815260206004820152600a6024820152691b9bdd081c185d5cd95960b21b604482015260640161044a565b6003805460ff60a01b191690556040517f7805862f689e2f13df9f062ff482ad3ad112aca9e0847911ed832e158c525b33905f90a1565b6003545f906001600160a01b031633146107b05760405162461bcd60e51b815260040161044a906111f9565b8160025f8282546107c19190611248565b90915550506001600160a01b0383165f90815260066020526040812080548492906107ed908490611248565b90915550506040518281526001600160a01b038416905f905f5160206112925f395f51905f529060200161051f565b5f5f6127106004548461082f919061125b565b6108399190611272565b9050600554811161084a578061084e565b6005545b9392505050565b6003546001600160a01b0316331461087f5760405162461bcd60e51b815260040161044a906111f9565b600354600160a01b900460ff16156108a95760405162461bcd60e51b815260040161044a906111d9565b6003805460ff60a01b1916600160a01b1790556040517f6985a02210a168e66602d3235cb6db0e70f92b3ba4d376a33c0f3d9434bff625905f90a1565b6001805461039f906111a1565b6003545f90600160a01b900460ff161561091f5760405162461bcd60e51b815260040161044a906111d9565b335f9081526008602052604090205460ff161561096c5760405162461bcd60e51b815260206004820152600b60248201526a189b1858dadb1a5cdd195960aa1b604482015260640161044a565b610977338484610ea4565b505f92915050565b6003546001600160a01b031633146109a95760405162461bcd60e51b815260040161044a906111f9565b601482106109e95760405162461bcd60e51b815260206004820152600d60248201526c0e4c2e8ca40e8dede40d0d2ced609b1b604482015260640161044a565b6302faf080811115610a2c5760405162461bcd60e51b815260206004820152600c60248201526b0cccaca40e8dede40d0d2ced60a31b604482015260640161044a565b6004829055600581905560408051838152602081018390527fb044a1e409eac5c48e5af22d4af52670dd1a99059537a78b31b48c6500a6354e910160405180910390a15050565b6003546001600160a01b03163314610a9d5760405162461bcd60e51b815260040161044a906111f9565b8060025f828254610aae9190611248565b90915550506003546001600160a01b03165f9081526006602052604081208054839290610adc908490611248565b90915550506040518181527fcb8241adb0c3fdb35b70c24ce35c5eb0c17af7431c99f827d44a445ca624176a9060200160405180910390a16003546040518281526001600160a01b03909116905f905f5160206112925f395f51905f52906020015b60405180910390a350565b6003546001600160a01b03163314610b735760405162461bcd60e51b815260040161044a906111f9565b6003546001600160a01b03165f90815260066020526040902054811115610bcf5760405162461bcd60e51b815260206004820152601060248201526f18985b185b98d948195e18d95959195960821b604482015260640161044a565b8060025f828254610be09190611235565b90915550506003546001600160a01b03165f9081526006602052604081208054839290610c0e908490611235565b90915550506040518181527f702d5967f45f6513a38ffc42d6ba9bf230bd40e8f53b16363c7eb4fd2deb9a449060200160405180910390a16003546040518281525f916001600160a01b0316905f5160206112925f395f51905f5290602001610b3e565b6003546001600160a01b03163314610c9c5760405162461bcd60e51b815260040161044a906111f9565b6001600160a01b0381165f81815260086020526040808220805460ff19169055517fd7e9ec6e6ecd65492dce6bf513cd6867560d49544421d0783ddf06e76c24470c9190a250565b6003546001600160a01b03163314610d0e5760405162461bcd60e51b815260040161044a906111f9565b6001600160a01b038116610d4f5760405162461bcd60e51b815260206004820152600860248201526737379037bbb732b960c11b604482015260640161044a565b6003546040516001600160a01b038084169216907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0905f90a3600380546001600160a01b0319166001600160a01b0392909216919091179055565b6003546001600160a01b03163314610dd45760405162461bcd60e51b815260040161044a906111f9565b6001600160a01b0381165f9081526008602052604090205460ff16610e2d5760405162461bcd60e51b815260206004820152600f60248201526e1b9bdd08189b1858dadb1a5cdd1959608a1b604482015260640161044a565b6001600160a01b0381165f9081526006602052604081208054908290556002805491928392610e5d908490611235565b90915550506040518181526001600160a01b038316907f61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c69060200160405180910390a25050565b6001600160a01b038216610ee85760405162461bcd60e51b815260206004820152600b60248201526a3737903932b1b2b4bb32b960a91b604482015260640161044a565b6001600160a01b0383165f90815260066020526040902054811115610f425760405162461bcd60e51b815260206004820152601060248201526f18985b185b98d948195e18d95959195960821b604482015260640161044a565b5f610f4c8261081c565b6001600160a01b0385165f90815260066020526040812080549293508492909190610f78908490611235565b90915550610f8890508183611235565b6001600160a01b0384165f9081526006602052604081208054909190610faf908490611248565b9091555050801561101b576003546001600160a01b03165f9081526006602052604081208054839290610fe3908490611248565b90915550506003546040518281526001600160a01b03918216918616905f5160206112925f395f51905f529060200160405180910390a35b6001600160a01b038084169085165f5160206112925f395f51905f526110418486611235565b60405190815260200160405180910390a350505050565b602081525f82518060208401525f5b818110156110845760208186018101516040868401015201611067565b505f604082850101526040601f19601f83011684010191505092915050565b80356001600160a01b03811681146110b9575f5ffd5b919050565b5f5f604083850312156110cf575f5ffd5b6110d8836110a3565b946020939093013593505050565b5f602082840312156110f6575f5ffd5b61084e826110a3565b5f5f5f60608486031215611111575f5ffd5b61111a846110a3565b9250611128602085016110a3565b929592945050506040919091013590565b5f60208284031215611149575f5ffd5b5035919050565b5f5f60408385031215611161575f5ffd5b50508035926020909101359150565b5f5f60408385031215611181575f5ffd5b61118a836110a3565b9150611198602084016110a3565b90509250929050565b600181811c908216806111b557607f821691505b6020821081036111d357634e487b7160e01b5f52602260045260245ffd5b50919050565b6020808252600690820152651c185d5cd95960d21b604082015260600190565b6020808252600e908201526d37b7363c903a34329037bbb732b960911b604082015260600190565b634e487b7160e01b5f52601160045260245ffd5b8181038181111561052b5761052b611221565b8082018082111561052b5761052b611221565b808202811582820484141761052b5761052b611221565b5f8261128c57634e487b7160e01b5f52601260045260245ffd5b50049056feddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
