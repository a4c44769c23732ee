// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

interface IToken {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Pays one receiver several times in one transaction, with an allowance of the caller's, as some exchanges do: the token emits
/// a Transfer event for each.
contract Several {
    function pay(IToken token, address to, uint256[] calldata values) external {
        for (uint256 index = 0; index < values.length; index++) {
            require(token.transferFrom(msg.sender, to, values[index]), "not paid");
        }
    }
}
