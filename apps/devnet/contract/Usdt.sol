// SPDX-License-Identifier: UNLICENSED
pragma solidity ^0.8.28;

/// The token of the development chain: behaves like USDT on Tron, quirks included.
///
/// - `transfer` returns false although it succeeded, as the Tron deployment does: a caller that trusts the returned
///   value instead of the receipt and the event is found out here.
/// - A fee can be switched on, so that the receiver gets less than was sent, in two Transfer events.
/// - The owner can pause everything and blacklist senders; an address on the blacklist can still receive.
///
/// Chains begun by an older version are given this code over their own storage: fields keep their order.
contract Usdt {
    string public name;
    string public symbol;
    uint8 public constant decimals = 6;
    uint256 public totalSupply;

    address public owner;
    bool public paused;
    uint256 public basisPointsRate;
    uint256 public maximumFee;

    mapping(address => uint256) private balances;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Issue(uint256 amount);
    event Redeem(uint256 amount);
    event Params(uint256 feeBasisPoints, uint256 maxFee);
    event Pause();
    event Unpause();
    event AddedBlackList(address indexed user);
    event RemovedBlackList(address indexed user);
    event DestroyedBlackFunds(address indexed user, uint256 balance);
    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);

    modifier onlyOwner() {
        require(msg.sender == owner, "only the owner");
        _;
    }

    modifier whenNotPaused() {
        require(!paused, "paused");
        _;
    }

    constructor(string memory tokenName, string memory tokenSymbol, uint256 supply) {
        name = tokenName;
        symbol = tokenSymbol;
        owner = msg.sender;
        totalSupply = supply;
        balances[msg.sender] = supply;
        emit Transfer(address(0), msg.sender, supply);
    }

    function balanceOf(address who) external view returns (uint256) {
        return balances[who];
    }

    /// The same as the mapping's own getter: the original offers both.
    function getBlackListStatus(address who) external view returns (bool) {
        return isBlackListed[who];
    }

    function calcFee(uint256 value) public view returns (uint256) {
        uint256 fee = (value * basisPointsRate) / 10000;
        return fee > maximumFee ? maximumFee : fee;
    }

    /// Returns false on success: see the note on the contract.
    function transfer(address to, uint256 value) external whenNotPaused returns (bool) {
        require(!isBlackListed[msg.sender], "blacklisted");
        move(msg.sender, to, value);
        return false;
    }

    function transferFrom(address from, address to, uint256 value) external whenNotPaused returns (bool) {
        require(!isBlackListed[from], "blacklisted");
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance exceeded");
        if (allowed < type(uint256).max) {
            allowance[from][msg.sender] = allowed - value;
        }
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        require(value == 0 || allowance[msg.sender][spender] == 0, "reset the allowance first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function issue(uint256 amount) external onlyOwner {
        totalSupply += amount;
        balances[owner] += amount;
        emit Issue(amount);
        emit Transfer(address(0), owner, amount);
    }

    function mint(address to, uint256 amount) external onlyOwner returns (bool) {
        totalSupply += amount;
        balances[to] += amount;
        emit Transfer(address(0), to, amount);
        return true;
    }

    function redeem(uint256 amount) external onlyOwner {
        require(balances[owner] >= amount, "balance exceeded");
        totalSupply -= amount;
        balances[owner] -= amount;
        emit Redeem(amount);
        emit Transfer(owner, address(0), amount);
    }

    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external onlyOwner {
        require(newBasisPoints < 20, "rate too high");
        require(newMaxFee <= 50 * 10 ** 6, "fee too high");
        basisPointsRate = newBasisPoints;
        maximumFee = newMaxFee;
        emit Params(newBasisPoints, newMaxFee);
    }

    function pause() external onlyOwner whenNotPaused {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        require(paused, "not paused");
        paused = false;
        emit Unpause();
    }

    function addBlackList(address user) external onlyOwner {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function removeBlackList(address user) external onlyOwner {
        isBlackListed[user] = false;
        emit RemovedBlackList(user);
    }

    function destroyBlackFunds(address user) external onlyOwner {
        require(isBlackListed[user], "not blacklisted");
        uint256 balance = balances[user];
        balances[user] = 0;
        totalSupply -= balance;
        emit DestroyedBlackFunds(user, balance);
    }

    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "no owner");
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "no receiver");
        require(balances[from] >= value, "balance exceeded");
        uint256 fee = calcFee(value);
        balances[from] -= value;
        balances[to] += value - fee;
        if (fee > 0) {
            balances[owner] += fee;
            emit Transfer(from, owner, fee);
        }
        emit Transfer(from, to, value - fee);
    }
}
